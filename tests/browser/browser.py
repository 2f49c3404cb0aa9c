"""Chromium without a window, driven over a pipe by its DevTools protocol; the standard library is enough for that."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium', 'chromium-browser', 'google-chrome')


def find():
    """The browser's path, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def high(fd):
    """A copy of a descriptor that is out of the way of 3 and 4."""
    copy = fcntl.fcntl(fd, fcntl.F_DUPFD, 20)
    os.close(fd)
    return copy


class Browser:
    def __init__(self, path, scripts=True):
        self.profile = tempfile.mkdtemp(prefix='barscope-browser-')
        from_us, self.write = map(high, os.pipe())
        self.read, to_us = map(high, os.pipe())
        self.process = subprocess.Popen(
            ['bash', '-c', f'exec "$@" 3<&{from_us} 4>&{to_us}', 'bash', path, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
             '--remote-debugging-pipe', '--no-first-run', '--disable-extensions', '--disable-background-networking',
             '--disable-component-update', '--disable-sync', '--hide-scrollbars', f'--user-data-dir={self.profile}', 'about:blank'],
            pass_fds=(from_us, to_us), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.buffer, self.events, self.number, self.session = b'', [], 0, None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')
        self.call('Performance.enable', timeDomain='threadTicks')
        if not scripts:
            self.call('Emulation.setScriptExecutionDisabled', value=True)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read)
        os.close(self.write)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self, until):
        while b'\0' not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                raise TimeoutError('the browser does not answer')
            piece = os.read(self.read, 1 << 20)
            if not piece:
                raise EOFError('the browser ended')
            self.buffer += piece
        text, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(text)

    def call(self, method, timeout=60, **params):
        self.number += 1
        request = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            request['sessionId'] = self.session
        data = json.dumps(request).encode() + b'\0'
        while data:
            data = data[os.write(self.write, data):]
        until = time.monotonic() + timeout
        while True:
            answer = self.message(until)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            if 'method' in answer:
                self.events.append(answer)

    def open(self, path, timeout=60):
        """Opens a file and waits until it is loaded; returns the seconds that took."""
        self.events.clear()
        begin = time.monotonic()
        self.call('Page.navigate', timeout, url='file://' + os.path.abspath(path))
        while not any(event['method'] == 'Page.loadEventFired' for event in self.events):
            self.events.append(self.message(begin + timeout))
        return time.monotonic() - begin

    def value(self, expression):
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def wait(self, expression, timeout=60):
        until = time.monotonic() + timeout
        while not self.value(expression):
            if time.monotonic() > until:
                raise TimeoutError(f'never true: {expression}')
            time.sleep(0.02)

    def cpu_seconds(self):
        """What the page's own thread has computed since it began to load."""
        metrics = self.call('Performance.getMetrics')['metrics']
        return next(metric['value'] for metric in metrics if metric['name'] == 'TaskDuration')

    def key(self, name, text=''):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=name, **({'text': text} if text and kind == 'keyDown' else {}),
                      windowsVirtualKeyCode={'Tab': 9, 'Escape': 27, 'Enter': 13}.get(name, 0))

    def type(self, text):
        for letter in text:
            self.key(letter, letter)

    def size(self, width, height, mobile=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, kind='screen', scheme='light'):
        self.call('Emulation.setEmulatedMedia', media=kind, features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def picture(self, path, whole=True):
        if whole:  # what is out of sight may not be drawn: the window becomes as tall as the page
            width = self.value('window.innerWidth')
            for _ in range(3):
                self.size(width, min(16000, int(self.value('document.documentElement.scrollHeight'))))
        shot = self.call('Page.captureScreenshot', format='png')
        with open(path, 'wb') as file:
            file.write(base64.b64decode(shot['data']))

    def pdf(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.printToPDF', printBackground=False)['data']))

    def complaints(self):
        """Console messages, exceptions, and requests for anything but the page itself, since open()."""
        found = []
        for event in self.events:
            method, params = event['method'], event.get('params', {})
            if method == 'Runtime.exceptionThrown':
                found.append('exception: ' + json.dumps(params['exceptionDetails'])[:400])
            elif method == 'Runtime.consoleAPICalled':
                found.append('console: ' + json.dumps(params['args'])[:400])
            elif method == 'Log.entryAdded':
                found.append('log: ' + params['entry']['text'])
            elif method == 'Network.requestWillBeSent' and params.get('type') != 'Document':
                found.append('request: ' + params['request']['url'][:200])
        documents = [event for event in self.events if event['method'] == 'Network.requestWillBeSent']
        if len(documents) > 1:
            found.append(f'{len(documents)} requests instead of one')
        return found
