#!/usr/bin/env python3
"""Run every fuzz target for a while, starting from the corpus in the tree.

    run.py BUILD_DIR --seconds N [--target NAME]

New inputs go to a folder of the build, not to the tree. Exits with 1 if a target finds a fault; the input that shows it
is kept in the build folder and named.
"""

import argparse
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def fuzz(build, name, seconds):
    work = os.path.join(build, 'work-' + name)
    os.makedirs(work, exist_ok=True)
    seeds = [os.path.join(HERE, 'corpus', name)]
    if name == 'map':
        seeds.append(os.path.normpath(os.path.join(HERE, '../../regmaps/definitions')))
    run = subprocess.run(
        [os.path.join(build, 'fuzz_' + name), work, *seeds, '-max_total_time=%d' % seconds, '-timeout=10',
         '-rss_limit_mb=2048', '-print_final_stats=1', '-artifact_prefix=' + os.path.join(work, 'found-')],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
    runs = re.search(r'number_of_executed_units: (\d+)', run.stdout)
    print('fuzz: %-8s %s inputs in %d s: %s' % (
        name, runs.group(1) if runs else '?', seconds, 'no fault' if run.returncode == 0 else 'FAULT'), flush=True)
    if run.returncode:
        print(run.stdout[-6000:])
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('--seconds', type=int, default=15)
    parser.add_argument('--target')
    options = parser.parse_args()
    names = [options.target] if options.target else sorted(
        os.path.basename(path)[len('fuzz_'):-len('.cpp')] for path in glob.glob(os.path.join(HERE, 'fuzz_*.cpp')))
    results = [fuzz(options.build, name, options.seconds) for name in names]
    return 0 if results and all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
