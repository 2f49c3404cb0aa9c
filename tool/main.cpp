#include <commands/program.h>

int main(int argc, char** argv) {
    return barscope::tool::run_program(argc, argv);
}
