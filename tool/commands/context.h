// What every command gets: the arguments, where to print, and where to leave what went wrong beside the main
// answer.
#pragma once

#include <string>
#include <vector>

#include <commands/arguments.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

struct Context {
    const Arguments& arguments;
    Output& output; // standard output
    Style style;
    std::vector<std::string> messages; // for standard error, after the output; whole lines
    bool last = true;                  // nothing follows in this process but the end; false within `demo`

    void note(const Error& error) { messages.push_back("barscope: note: " + to_string(error) + "\n"); }
    void warn(const Error& error) { messages.push_back("barscope: error: " + to_string(error) + "\n"); }
};

// Each prints its answer and returns the exit status; an error means that nothing was printed.
Result<int> run_list(Context& context);
Result<int> run_info(Context& context);
Result<int> run_read(Context& context);
Result<int> run_dump(Context& context);
Result<int> run_check(Context& context);
Result<int> run_snapshot(Context& context);
Result<int> run_show(Context& context);
Result<int> run_diff(Context& context);
Result<int> run_verify(Context& context);
Result<int> run_decode(Context& context);
Result<int> run_hwq(Context& context);
Result<int> run_driver_dump(Context& context);
Result<int> run_explain(Context& context);
Result<int> run_fwlog(Context& context);
Result<int> run_maps(Context& context);
Result<int> run_doctor(Context& context);
Result<int> run_demo(Context& context);
Result<int> run_audit(Context& context);

} // namespace barscope::tool
