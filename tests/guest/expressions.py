"""Expressions of register maps (docs/regmap-format.md), read apart from the program's own reading."""

import re


class Undecided(Exception):
    pass


class Expression:
    """C's operators on unsigned 64-bit numbers, by precedence climbing."""

    LEVELS = [('||',), ('&&',), ('|',), ('^',), ('&',), ('==', '!='), ('<=', '>=', '<', '>'), ('<<', '>>'), ('+', '-'), ('*', '/', '%')]
    MASK = (1 << 64) - 1
    TOKEN = (r'0[xX][0-9a-fA-F]+|0b[01]+|\d+|[A-Za-z_]\w*\([^)]*\)|[A-Za-z_]\w*(?:\[\d+\])*(?:\.\w+(?:\[\d+\])*)*'
             r'|<<|>>|<=|>=|==|!=|&&|\|\||\S')
    APPLY = {
        '|': lambda a, b: a | b, '^': lambda a, b: a ^ b, '&': lambda a, b: a & b, '==': lambda a, b: int(a == b),
        '!=': lambda a, b: int(a != b), '<=': lambda a, b: int(a <= b), '>=': lambda a, b: int(a >= b),
        '<': lambda a, b: int(a < b), '>': lambda a, b: int(a > b), '<<': lambda a, b: a << b if b < 64 else 0,
        '>>': lambda a, b: a >> b if b < 64 else 0, '+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b,
        '/': lambda a, b: a // b, '%': lambda a, b: a % b,
        '||': lambda a, b: int(bool(a) or bool(b)), '&&': lambda a, b: int(bool(a) and bool(b)),
    }

    def __init__(self, text, lookup):
        self.tokens = re.findall(self.TOKEN, text)
        self.at, self.lookup, self.text = 0, lookup, text

    def value(self):
        result = self._choice()
        if self.at != len(self.tokens):
            raise ValueError('not an expression: %s' % self.text)
        return self._known(result)

    # Unknown is None inside, so that `0 && unknown` and a branch that is not taken do not matter.
    def _known(self, number):
        if number is None:
            raise Undecided(self.text)
        return number

    def _peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def _choice(self):
        condition = self._level(0)
        if self._peek() != '?':
            return condition
        self.at += 1
        yes = self._choice()
        self._expect(':')
        no = self._choice()
        return None if condition is None else yes if condition else no

    def _expect(self, token):
        if self._peek() != token:
            raise ValueError('%s expected in %s' % (token, self.text))
        self.at += 1

    def _level(self, level):
        if level == len(self.LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while self._peek() in self.LEVELS[level]:
            operator = self._peek()
            self.at += 1
            left = self._combine(operator, left, self._level(level + 1))
        return left

    def _combine(self, operator, left, right):
        if operator == '&&' and 0 in (left, right):
            return 0
        if operator == '||' and any(side not in (None, 0) for side in (left, right)):
            return 1
        if left is None or right is None or (operator in '/%' and right == 0):
            return None
        return self.APPLY[operator](left, right) & self.MASK

    def _unary(self):
        token = self._peek()
        self.at += 1
        if token == '(':
            inner = self._choice()
            self._expect(')')
            return inner
        if token in ('-', '~', '!'):
            inner = self._unary()
            return None if inner is None else {'-': -inner & self.MASK, '~': ~inner & self.MASK, '!': int(not inner)}[token]
        if token[:1].isdigit():
            return int(token, 0) if not token.isdigit() else int(token, 10)
        try:
            return self.lookup(token)
        except Undecided:
            return None
