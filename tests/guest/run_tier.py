#!/usr/bin/env python3
"""Run the guest or the nic tier: boot its machines with the program inside and judge what they bring back.

    run_tier.py guest|nic --program PATH [--out DIR] [--cache DIR] [--maps DIR] [--only BOOT]
                [--seed N] [--cases N] [--case N]

Prints PASS or FAIL for each check and `N passed, N failed` at the end. DIR receives, for each boot, the console, every command's output,
what reached the devices, and the comparison tables. Exit status: 0 all passed, 1 not, 77 cannot run here (the reason is printed).
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys

import boot
import machines
from outcome import Checks, Outcome

HERE = os.path.dirname(os.path.abspath(__file__))
SKIP = 77


def unable():
    """Why the tier cannot run on this machine, or None."""
    if os.geteuid() != 0:
        return 'must run as root: QEMU runs in a chroot'
    missing = [name for name in ('apt-get', 'dpkg-deb', 'flock', 'tar', 'chroot') if shutil.which(name) is None]
    return 'needs ' + ', '.join(missing) if missing else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tier', choices=sorted(machines.TIERS))
    parser.add_argument('--program', required=True, help='the barscope executable')
    parser.add_argument('--out', help='folder for results (default: test-results/TIER here)')
    parser.add_argument('--cache', help="setup.sh's folder")
    parser.add_argument('--maps', default=os.path.join(HERE, '..', '..', 'regmaps', 'definitions'),
                        help='the register maps that the program has built in')
    parser.add_argument('--helpers', help='the folder of nic_runner and nic_misuse (default: where the program was built)')
    parser.add_argument('--without-override', action='store_true', help='the program was built without lab override')
    parser.add_argument('--only', help='one boot instead of all')
    parser.add_argument('--seed', type=int, default=int(os.environ.get('BARSCOPE_TEST_SEED', 1)), help='of the random commands (default 1)')
    parser.add_argument('--cases', type=int, default=int(os.environ.get('BARSCOPE_TEST_CASES', 3200)), help='how many random commands')
    parser.add_argument('--case', type=int, help='only this random command')
    options = parser.parse_args()
    options.helpers = options.helpers or os.path.join(os.path.dirname(os.path.abspath(options.program)), '..', 'tests', 'guest')

    reason = unable()
    if reason:
        print('skipped: ' + reason)
        return SKIP
    out = os.path.abspath(options.out or os.path.join('test-results', options.tier))
    cache = options.cache or os.environ.get('BARSCOPE_TEST_CACHE') or os.path.join(
        os.environ.get('XDG_CACHE_HOME') or '/var/cache', 'barscope-tests')
    setup = subprocess.run([os.path.join(HERE, 'setup.sh'), cache])
    if setup.returncode:
        print('FAIL set-up of the guest files ended with %d' % setup.returncode)
        return 1

    options.cache = cache
    plans = [plan for plan in machines.TIERS[options.tier] if options.only in (None, plan.name)
             and not (options.without_override and plan.name == 'nic-override')]
    if not plans:
        parser.error('no such boot; there are ' + ', '.join(plan.name for plan in machines.TIERS[options.tier]))
    for plan in plans:
        shutil.rmtree(os.path.join(out, plan.name), ignore_errors=True)
    os.makedirs(out, exist_ok=True)

    judge = __import__('checks_' + options.tier)
    checks = Checks(out)
    for name in os.listdir(out):
        if name.endswith('.txt'):
            os.unlink(os.path.join(out, name))

    def run(plan):
        folder = os.path.join(out, plan.name)
        os.makedirs(folder, exist_ok=True)
        machine = machines.prepare(plan, cache, options.program, judge.extra_files(plan.name, options, folder), folder)
        outcome = Outcome(plan.name, boot.boot(machine), machine.out, options)
        outcome.save()
        return outcome

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for plan, outcome in zip(plans, pool.map(run, plans)):
            print('== boot %s: %.0f s, kernel command line "%s"' % (plan.name, outcome.result.seconds, plan.append), flush=True)
            checks.prefix = plan.name + ': '
            if checks.check('the guest ran its script to the end', outcome.result.finished,
                            'last words: ' + outcome.result.console[-500:]):
                judge.JUDGES[plan.name](checks, outcome, options.maps)
                checks.none('no complaint in the kernel log', outcome.text('complaints').splitlines())
    print('%d passed, %d failed' % (checks.passed, checks.failed))
    return 1 if checks.failed else 0


if __name__ == '__main__':
    sys.exit(main())
