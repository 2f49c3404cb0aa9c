"""What a map's logs let be loaded: their entries word by word, and what is looked at before and after."""

import re

from declared import Load
from expressions import Undecided


def log_loads(declared):
    """Loads of `fwlog`: each word of an entry once. Looked at before, with and after them: what the layout needs, windows, the producer; sentinels
    as often as it takes."""
    loads = [load for load in declared.loads if load.most is None]
    around = {select for select in declared.selects if select} | declared.needed
    for log in (log for document in declared.maps for log in document.get('logs', [])):
        try:
            loads += _entries(declared, log)
        except Undecided:
            continue
        loads += [load._replace(most=3 * load.most) for load in declared.loads if load.most is not None
                  and (load.name == log.get('producer') or re.sub(r'\[\d+\]', '', load.name) in around)]
    return loads


def _entries(declared, log):
    space = declared.spaces[log['space']]
    if space.get('when') is not None and not declared.number(space['when'], {}):
        return []
    size = next(s['size'] for document in declared.maps for s in document.get('structures', []) if s['name'] == log['entry'])
    bar, start = declared.start_of(space)
    begin = start + declared.number(log['base'], {})
    end = begin + declared.number(size, {}) * declared.number(log['count'], {})
    limit = declared.end_of(space)
    return [Load('log ' + log['name'], bar, offset, 4, 1) for offset in range(begin, end, 4) if limit is None or offset + 4 <= limit]
