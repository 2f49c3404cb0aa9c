#include "image_catalog.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "image_bytes.h"

namespace barscope::regmaps {

namespace {

constexpr std::uint64_t magic = 0x31'54'41'43'53'52'41'42; // "BARSCAT1"

struct TablePlace {
    std::uint64_t at = 0, count = 0;
};

struct Header {
    std::uint64_t magic = 0;
    std::uint64_t entry_size = 0;
    TablePlace entries, includes, rules, terms, values, texts;
};

class Writer {
  public:
    explicit Writer(std::span<const BlobMap> maps) {
        for (const BlobMap& map : maps) {
            add_entry(map);
        }
        bytes_.resize(sizeof(Header));
        Header header{magic, sizeof(BlobEntry), {}, {}, {}, {}, {}, {}};
        header.entries = append_table(entries_);
        header.includes = append_table(includes_);
        header.rules = append_table(rules_);
        header.terms = append_table(terms_);
        header.values = append_table(values_);
        header.texts = append_table(texts_);
        for (std::size_t i = 0; i < maps.size(); ++i) {
            const std::vector<std::byte> image = image_of(*maps[i].map);
            entries_[i].image_at = append_table(image).at;
            entries_[i].image_size = image.size();
            entries_[i].text_at = append_records(bytes_, std::span<const char>(maps[i].json));
            entries_[i].text_size = maps[i].json.size();
        }
        std::memcpy(bytes_.data(), &header, sizeof header);
        if (!entries_.empty()) { // again, now that the places are known
            std::memcpy(bytes_.data() + header.entries.at, entries_.data(),
                        entries_.size() * sizeof(BlobEntry));
        }
    }

    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    Text add_text(std::string_view text) {
        const Text place{static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(text.size())};
        texts_.insert(texts_.end(), text.begin(), text.end());
        return place;
    }

    void add_entry(const BlobMap& in) {
        const RegisterMap& map = *in.map;
        BlobEntry entry;
        entry.name = add_text(map.name);
        entry.title = add_text(map.title);
        entry.version = add_text(map.version);
        entry.includes = {static_cast<Index>(includes_.size()),
                          static_cast<std::uint32_t>(in.all_includes.size())};
        for (const std::string& name : in.all_includes) {
            includes_.push_back(add_text(name));
        }
        entry.rules = {static_cast<Index>(rules_.size()), static_cast<std::uint32_t>(map.match_rules.size())};
        for (MatchRule rule : map.match_rules) {
            rule.terms.begin += static_cast<Index>(terms_.size());
            rules_.push_back(rule);
        }
        for (MatchTerm term : map.match_terms) {
            term.values.begin += static_cast<Index>(values_.size());
            terms_.push_back(term);
        }
        values_.insert(values_.end(), map.match_values.begin(), map.match_values.end());
        entries_.push_back(entry);
    }

    template <typename T>
    TablePlace append_table(const std::vector<T>& table) {
        return {append_records(bytes_, std::span<const T>(table)), table.size()};
    }

    std::vector<BlobEntry> entries_;
    std::vector<Text> includes_;
    std::vector<MatchRule> rules_;
    std::vector<MatchTerm> terms_;
    std::vector<MatchValue> values_;
    std::vector<char> texts_;
    std::vector<std::byte> bytes_;
};

} // namespace

std::vector<std::byte> catalog_blob(std::span<const BlobMap> maps) {
    std::vector<BlobMap> sorted(maps.begin(), maps.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const BlobMap& a, const BlobMap& b) { return a.map->name < b.map->name; });
    return Writer(sorted).take();
}

BlobView view_blob(std::span<const std::byte> blob) {
    Header header;
    if (blob.size() < sizeof header || reinterpret_cast<std::uintptr_t>(blob.data()) % image_alignment != 0) {
        return {};
    }
    std::memcpy(&header, blob.data(), sizeof header);
    if (header.magic != magic || header.entry_size != sizeof(BlobEntry)) {
        return {};
    }
    BlobView view;
    view.bytes = blob;
    bool ok = true;
    const auto use = [&]<typename T>(const TablePlace& place, std::span<const T>& table) {
        ok = ok && place.at <= blob.size() && place.count <= (blob.size() - place.at) / sizeof(T);
        if (ok) {
            table = {reinterpret_cast<const T*>(blob.data() + place.at),
                     static_cast<std::size_t>(place.count)};
        }
    };
    use(header.entries, view.entries);
    use(header.includes, view.includes);
    use(header.rules, view.rules);
    use(header.terms, view.terms);
    use(header.values, view.values);
    use(header.texts, view.texts);
    return ok ? view : BlobView{};
}

} // namespace barscope::regmaps
