"""What one boot brought back, and the list of checks with its PASS and FAIL lines."""

import json
import os

import accesses
from table import Dump


class Run:
    """One command in the guest."""

    def __init__(self, files, name):
        self.name = name
        self.command, self.out, self.err = (files.get(name + end, b'').decode(errors='replace') for end in ('.cmd', '.out', '.err'))
        status = files.get(name + '.rc', b'').strip()
        self.status = int(status) if status.isdigit() else None

    @property
    def document(self):
        try:
            return json.loads(self.out)
        except ValueError:
            return {}

    @property
    def error(self):
        """Why the command failed as a whole; or the first source that was refused, where others still could be read."""
        return self.document.get('error') or (self.document.get('refusals') or [{}])[0]

    def dump(self, spaces=None):
        return Dump(self.document, spaces)

    def __str__(self):
        return '`%s` ended with %s: %s' % (self.command, self.status, (self.err or self.out).strip()[:400])


class Outcome:
    """A boot's files, traces and facts by name."""

    def __init__(self, name, result, folder, options=None):
        self.name, self.result, self.folder, self.options = name, result, folder, options
        self.facts = accesses.facts(self.text('facts'))

    def run(self, name):
        return Run(self.result.files, name)

    def text(self, name):
        return self.result.files.get(name, b'').decode(errors='replace')

    def traced(self, name, address):
        """What QEMU saw of a traced command, on the memory BARs of one device."""
        if name not in self.result.traces:
            return None
        return accesses.from_trace(self.result.traces[name], self.facts[address][1])

    def logged(self, name, config=False, start='begin-'):
        """What the emulated NIC saw between the marks of a command; None without the marks."""
        with open(os.path.join(self.folder, 'access.log')) as file:
            return accesses.from_log(file, start + name, 'end-' + name, config)

    def save(self):
        for name, data in self.result.files.items():
            path = os.path.join(self.folder, 'files', name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as file:
                file.write(data)
        for name, text in self.result.traces.items():
            with open(os.path.join(self.folder, 'trace-%s.txt' % name), 'w') as file:
                file.write(text)


class Checks:
    def __init__(self, folder):
        self.folder, self.passed, self.failed, self.prefix = folder, 0, 0, ''

    def check(self, what, condition, detail=''):
        if condition:
            self.passed += 1
            print('PASS %s%s' % (self.prefix, what), flush=True)
        else:
            self.failed += 1
            print('FAIL %s%s%s' % (self.prefix, what, ': ' + str(detail) if str(detail) else ''), flush=True)
        return bool(condition)

    def none(self, what, complaints):
        """Passes where there is nothing to complain about."""
        more = '; and %d more' % (len(complaints) - 5) if len(complaints) > 5 else ''
        return self.check(what, not complaints, '; '.join(map(str, complaints[:5])) + more)

    def status(self, run, expected, cause=None):
        ok = self.check('%s: exit status %d' % (run.command, expected), run.status == expected, run)
        if cause is not None:
            ok &= self.check('%s: cause %s' % (run.command, cause), run.error.get('cause') == cause, run.error or run)
        return ok

    def table(self, table, least):
        """At least so many values must have been compared, and all of them equal."""
        name = '%s-%s.txt' % (self.prefix.strip(': ').replace(' ', '-'), table.title.split(' (')[0].replace(' ', '-'))
        with open(os.path.join(self.folder, name), 'a') as file:
            file.write(table.render() + '\n')
        self.none('%s' % table.summary(), ['%s is %s, the other says %s' % row[:3] for row in table.differing])
        self.check('%s: at least %d values' % (table.title, least), table.compared >= least, 'only %d' % table.compared)
