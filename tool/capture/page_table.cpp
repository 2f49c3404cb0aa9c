#include <capture/page_table.h>

#include <algorithm>

#include <regmaps/structure_field.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

constexpr std::size_t entries_a_page = 512; // of 8 bytes in 4 KiB

// The fields of the map's own entry, by name.
struct EntryFields {
    Index page = none, valid = none, last = none, next_to_last = none;
};

EntryFields find_fields(const RegisterMap& map, Index structure) {
    EntryFields fields;
    const regmaps::Range range = map.structures[structure].fields;
    for (Index i = range.begin; i < range.begin + range.count; ++i) {
        const std::string_view name = map.text(map.fields[i].name);
        if (name == "PAGE") {
            fields.page = i;
        } else if (name == "VALID") {
            fields.valid = i;
        } else if (name == "LAST") {
            fields.last = i;
        } else if (name == "NEXT_TO_LAST") {
            fields.next_to_last = i;
        }
    }
    return fields;
}

class Walker {
  public:
    Walker(const RegisterMap& map, const PastedSet& set, const EntryFields& directory,
           const EntryFields& table)
        : map_(map), set_(set), directory_(directory), table_(table) {}

    Result<PageWalk> run(unsigned levels, std::optional<std::uint64_t> directory_pages) {
        if (levels == 1) {
            add_table(std::nullopt, 0, set_.places.size());
        } else if (auto walked = walk_directory(directory_pages); !walked) {
            return fail(std::move(walked.error()));
        }
        judge();
        return std::move(out_);
    }

  private:
    bool bit(Index field, std::span<const std::uint8_t> bytes) const {
        const auto decoded = field == none ? std::nullopt : decode_structure_field(map_, field, bytes);
        return decoded && decoded->value != 0;
    }

    PageEntry entry(const EntryFields& fields, std::size_t place, std::uint64_t index) const {
        const auto bytes =
            std::span(set_.bytes).subspan(static_cast<std::size_t>(set_.places[place]), set_.entry_size);
        PageEntry out;
        out.index = index;
        if (const auto page = decode_structure_field(map_, fields.page, bytes)) {
            out.address = page->value << map_.fields[fields.page].lsb;
        }
        out.valid = bit(fields.valid, bytes);
        out.last = bit(fields.last, bytes);
        out.next_to_last = bit(fields.next_to_last, bytes);
        return out;
    }

    static bool in_use(const PageEntry& entry) {
        return entry.address != 0 || entry.valid || entry.last || entry.next_to_last;
    }

    void add_table(std::optional<PageEntry> directory, std::size_t begin, std::size_t count) {
        PageTable table;
        table.directory = directory;
        table.at = set_.places[begin];
        for (std::size_t i = 0; i < count; ++i) {
            table.entries.push_back(entry(table_, begin + i, i));
        }
        while (!table.entries.empty() && !in_use(table.entries.back())) {
            table.entries.pop_back();
        }
        table.unused = count - table.entries.size();
        out_.pages += table.entries.size();
        out_.tables.push_back(std::move(table));
    }

    // The directory's pages stand in front. Where nobody says how many they are, their entries and the tables
    // behind them tell: with each page more there are more of the former and fewer of the latter, so that at
    // most one number of pages makes them the same.
    Result<std::size_t> directory_pages(std::optional<std::uint64_t> given) const {
        const std::size_t pages = (set_.places.size() + entries_a_page - 1) / entries_a_page;
        if (given && (*given == 0 || *given >= pages)) {
            return fail(Error{ErrorCode::usage,
                              "no-tables",
                              "a directory of " + std::to_string(*given) + " pages leaves no table of the " +
                                  std::to_string(pages) + " pages at hand",
                              {},
                              "give fewer --directory-pages"});
        }
        if (given) {
            return static_cast<std::size_t>(*given);
        }
        if (pages < 2) {
            return fail(Error{ErrorCode::bad_input,
                              "no-tables",
                              "behind the page of directory entries there is no table",
                              {},
                              "put the tables behind the directory, in its order; or walk one level alone "
                              "with --levels 1"});
        }
        std::size_t directory = 1;
        std::size_t named = entries_in_use(0);
        while (named < pages - directory && directory + 1 < pages) {
            named += entries_in_use(directory);
            ++directory;
        }
        return named == pages - directory ? directory : 1;
    }

    std::size_t entries_in_use(std::size_t page) const {
        std::size_t count = 0;
        const std::size_t end = std::min((page + 1) * entries_a_page, set_.places.size());
        for (std::size_t i = page * entries_a_page; i < end; ++i) {
            count += in_use(entry(directory_, i, i)) ? 1U : 0U;
        }
        return count;
    }

    Result<void> walk_directory(std::optional<std::uint64_t> given) {
        const auto pages = directory_pages(given);
        if (!pages) {
            return fail(pages.error());
        }
        out_.directory_pages = *pages;
        std::size_t begin = *pages * entries_a_page;
        for (std::size_t i = 0; i < *pages * entries_a_page; ++i) {
            const PageEntry directory = entry(directory_, i, i);
            if (!in_use(directory)) {
                continue;
            }
            if (begin >= set_.places.size()) {
                out_.problems.push_back("directory entry " + std::to_string(i) +
                                        ": its table is not among the bytes");
                continue;
            }
            add_table(directory, begin, std::min(entries_a_page, set_.places.size() - begin));
            begin += entries_a_page;
        }
        if (begin < set_.places.size()) {
            out_.problems.push_back(std::to_string((set_.places.size() - begin) * set_.entry_size) +
                                    " bytes behind the last table belong to no directory entry");
        }
        return {};
    }

    void judge() {
        std::vector<const PageEntry*> all;
        for (const PageTable& table : out_.tables) {
            for (const PageEntry& each : table.entries) {
                all.push_back(&each);
            }
        }
        std::size_t invalid = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            invalid += all[i]->valid ? 0U : 1U;
            check_mark(all[i]->last, i, all.size(), 1, "last");
            check_mark(all[i]->next_to_last, i, all.size(), 2, "next to last");
        }
        if (invalid != 0) {
            out_.remarks.push_back(
                std::to_string(invalid) +
                " entries in use are not valid: on 574xx completion rings none is; elsewhere the "
                "device stops there");
        }
        if (all.empty()) {
            return;
        }
        const bool last = all.back()->last;
        const bool before = all.size() < 2 || all[all.size() - 2]->next_to_last;
        if (last && before) {
            out_.remarks.emplace_back("the end is marked as a work queue's is: next to last, last");
        } else if (!last && (all.size() < 2 || !before)) {
            out_.remarks.emplace_back(
                "no mark at the end: not the table of a work queue (contexts, memory regions and "
                "574xx event rings have no marks), or the table is not all here");
        } else {
            out_.problems.emplace_back("only one of the two marks at the end is set");
        }
    }

    void check_mark(bool set, std::size_t index, std::size_t count, std::size_t from_end,
                    std::string_view mark) {
        if (set && index + from_end != count) {
            out_.problems.push_back("page " + std::to_string(index) + " is marked " + std::string(mark) +
                                    ", and is page " + std::to_string(index + 1) + " of " +
                                    std::to_string(count));
        }
    }

    const RegisterMap& map_;
    const PastedSet& set_;
    const EntryFields& directory_;
    const EntryFields& table_;
    PageWalk out_;
};

} // namespace

Result<PageWalk> walk_pages(const RegisterMap& map, const PastedSet& set, unsigned levels,
                            std::optional<std::uint64_t> directory_pages) {
    const auto table = find_definition(map, "pte");
    const auto directory = find_definition(map, "pde");
    if (!table || !directory) {
        return fail(table ? directory.error() : table.error());
    }
    const EntryFields table_fields = find_fields(map, table->structure);
    const EntryFields directory_fields = find_fields(map, directory->structure);
    if (table_fields.page == none || directory_fields.page == none ||
        map.structures[table->structure].size != set.entry_size) {
        return fail({ErrorCode::usage, "no-page-table", "--levels is for page table entries",
                     std::string(map.name), "name pte or pde, such as bnxt:pte"});
    }
    return Walker(map, set, directory_fields, table_fields).run(levels, directory_pages);
}

} // namespace barscope::tool
