"""Which random commands a boot runs, and what it brought back of each."""

import collections
import os
import sys

import accesses

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'nic'))

import cases


def numbers(boot, count):
    """The cases of one of the boots among which they are divided."""
    which = int(boot.rpartition('-')[2]) - 1
    return [*range(-len(cases.PREAMBLE), 0), *range(1 + which, count + 1, 2)]


class Plan:
    """The cases of a boot, and what must be in the guest for them."""

    def __init__(self, boot, options):
        self.seed = options.seed
        self.maps = cases.Maps(options.seed, options.maps)
        chosen = [*numbers(boot, 0), options.case] if options.case else numbers(boot, options.cases)
        self.cases = [cases.make(options.seed, number, self.maps) for number in chosen]
        self.cases += [cases.misuse(index) for index in range(len(cases.MISUSES))]

    def places(self):
        """For each case the places that nic_runner loads before it."""
        healthy = True
        for case in self.cases:
            yield case, cases.places(case, healthy)
            healthy = not case.faults

    def files(self, folder):
        os.makedirs(os.path.join(folder, 'maps'), exist_ok=True)
        found = []

        def add(name, guest, data):
            path = os.path.join(folder, name)
            with open(path, 'wb') as file:
                file.write(data)
            found.append((path, guest))
        healthy, lines = True, []
        for case in self.cases:
            lines.append(cases.line(case, healthy))
            healthy = not case.faults
        add('cases.txt', '/cases/list', b''.join(lines))
        add('plan.txt', '/cases/plan', ''.join(line + '\n' for line in cases.plan_commands(self.seed)).encode())
        for key in self.maps.random:
            add('maps/%s.json' % key, '/maps/%s.json' % key, self.maps.entries[key][2].encode())
        return found


def apart(lines, plan):
    """(case, its accesses) of each case in the log, in order; complaints where the marks are not as planned."""
    expected = [(place, case) for case, places in plan.places() for place in places]
    result, inside, at = [], None, 0
    for access in accesses.all_of(lines):
        if at < len(expected) and access[:4] == ('R', 2, expected[at][0], 4):
            case = expected[at][1]
            at += 1
            if at == len(expected) or expected[at][1] is not case:
                inside = []
                result.append((case, inside))
        elif inside is not None:
            inside.append(access)
    missing = len(plan.cases) - len(result)
    return result, ['the marks of %d cases are missing, first that of case %d' % (missing, expected[at][1].number)] if missing else []


def results(text):
    """{case number: (kind, number, ms, bytes of output, first line of the messages)} of nic_runner's file."""
    found = {}
    for line in text.splitlines():
        number, kind, status, ms, size, *message = line.split('\t')
        found[int(number)] = (kind, int(status), int(ms), int(size), '\t'.join(message))
    return found


class Figures:
    """Cases, accesses and violations by command and by map."""

    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0, 0])

    def add(self, case, count, violations):
        for key in (('all', ''), ('command', case.argv[0] if case.argv else '(none)'), ('map', _map_name(case))):
            row = self.rows[key]
            row[0], row[1], row[2] = row[0] + 1, row[1] + count, row[2] + violations

    def table(self):
        lines = ['%-8s %-22s %6s %9s %10s' % ('', '', 'cases', 'accesses', 'violations')]
        lines += ['%-8s %-22s %6d %9d %10d' % (*key, *row) for key, row in sorted(self.rows.items())]
        return '\n'.join(lines) + '\n'


def _map_name(case):
    return 'none' if case.map is None else 'random maps' if case.map.startswith('random-') else case.map
