// The format's words and the values they stand for, in one table each: used both to load and to print.
#pragma once

#include <span>
#include <string_view>

#include <regmaps/model.h>

namespace barscope::regmaps {

template <typename T>
struct Word {
    std::string_view text;
    T value;
};

template <typename T>
struct Vocabulary; // ::words: every word of T that a map may use

template <>
struct Vocabulary<Access> {
    static constexpr Word<Access> words[] = {
        {"read-only", Access::read_only},
        {"write-only", Access::write_only},
        {"read-write", Access::read_write},
        {"writeOnce", Access::write_once},
        {"read-writeOnce", Access::read_write_once},
    };
};

template <>
struct Vocabulary<ReadAction> {
    static constexpr Word<ReadAction> words[] = {
        {"none", ReadAction::none},
        {"clear", ReadAction::clear},
        {"set", ReadAction::set},
        {"modify", ReadAction::modify},
        {"modifyExternal", ReadAction::modify_external},
    };
};

template <>
struct Vocabulary<ModifiedWrite> {
    static constexpr Word<ModifiedWrite> words[] = {
        {"oneToClear", ModifiedWrite::one_to_clear},
        {"oneToSet", ModifiedWrite::one_to_set},
        {"oneToToggle", ModifiedWrite::one_to_toggle},
        {"zeroToClear", ModifiedWrite::zero_to_clear},
        {"zeroToSet", ModifiedWrite::zero_to_set},
        {"zeroToToggle", ModifiedWrite::zero_to_toggle},
        {"clear", ModifiedWrite::clear},
        {"set", ModifiedWrite::set},
        {"modify", ModifiedWrite::modify},
    };
};

template <>
struct Vocabulary<Volatility> {
    static constexpr Word<Volatility> words[] = {
        {"constant", Volatility::constant}, {"config", Volatility::config},
        {"status", Volatility::status},     {"counter", Volatility::counter},
        {"index", Volatility::index},       {"timestamp", Volatility::timestamp},
    };
};

template <>
struct Vocabulary<Severity> {
    static constexpr Word<Severity> words[] = {
        {"ok", Severity::ok},
        {"notice", Severity::notice},
        {"warning", Severity::warning},
        {"critical", Severity::critical},
    };
};

template <>
struct Vocabulary<Display> {
    static constexpr Word<Display> words[] = {
        {"hex", Display::hex},           {"dec", Display::dec},         {"bool", Display::boolean},
        {"signed", Display::signed_dec}, {"address", Display::address}, {"bytes", Display::bytes},
        {"scaled", Display::scaled},
    };
};

template <>
struct Vocabulary<Sensitive> {
    static constexpr Word<Sensitive> words[] = {{"kernel-pointer", Sensitive::kernel_pointer},
                                                {"identifier", Sensitive::identifier}};
};

template <>
struct Vocabulary<safety::ByteOrder> {
    static constexpr Word<safety::ByteOrder> words[] = {
        {"little", safety::ByteOrder::little},
        {"big", safety::ByteOrder::big},
    };
};

template <>
struct Vocabulary<safety::Split> {
    static constexpr Word<safety::Split> words[] = {{"hi_lo_hi", safety::Split::hi_lo_hi}};
};

template <typename T>
const Word<T>* word_of(std::string_view text) {
    for (const Word<T>& word : Vocabulary<T>::words) {
        if (word.text == text) {
            return &word;
        }
    }
    return nullptr;
}

template <typename T>
std::string_view text_of(T value, std::string_view otherwise) {
    for (const Word<T>& word : Vocabulary<T>::words) {
        if (word.value == value) {
            return word.text;
        }
    }
    return otherwise;
}

} // namespace barscope::regmaps
