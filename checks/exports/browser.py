# SPDX-License-Identifier: GPL-2.0-only
"""A headless Chromium, by its own protocol over a pipe: messages of JSON, each with a
zero behind it."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time

# Seconds for an answer; a loaded machine is slow.
TIMEOUT = 300

# Nothing but what is opened here: no updates, no services, no profile of somebody's.
WORDS = ["--headless=new", "--no-sandbox", "--disable-gpu",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-extensions", "--no-first-run",
         "--no-default-browser-check", "--hide-scrollbars", "--lang=en",
         "--window-size=1280,900", "--remote-debugging-pipe"]

# The protocol is spoken on 3 and 4.
SHELL = 'in=$1 out=$2; shift 2; exec "$@" 3<&"$in" 4>&"$out"'

WAIT = """new Promise(resolve => {
  const ask = () => (%s) ? resolve(true) : setTimeout(ask, 50);
  ask();
  setTimeout(() => resolve(false), 120000);
})"""


class BrowserError(Exception):
    """It has ended, hangs, or refuses what it was asked for."""


class Pipe:
    """Sends commands and has their answers; events are told to whom they are of."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.rest = b""
        self.number = 0
        self.pages = {}

    def post(self, method, session, **parameters):
        """Sends a command; returns its number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self, end):
        """The next message."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.reader], [], [],
                                        max(end - time.monotonic(), 0))
            more = os.read(self.reader, 1 << 20) if ready else b""
            if not more:
                raise BrowserError("ended" if ready else "hangs")
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\0")
        return json.loads(line)

    def wait(self, done):
        """Takes messages until DONE says that one is it; returns that."""
        end = time.monotonic() + TIMEOUT
        while True:
            message = self.receive(end)
            page = self.pages.get(message.get("sessionId"))
            if page and "method" in message:
                page.happened(message["method"], message["params"])
            if done(message):
                return message

    def ask(self, method, session=None, **parameters):
        """Sends a command; returns the result."""
        number = self.post(method, session, **parameters)
        answer = self.wait(lambda message: message.get("id") == number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']}")
        return answer["result"]


class Page:
    """A tab: what it asked for, and what went wrong in it."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.requests, self.troubles = [], []
        self.prompt = None  # what is said when the page asks
        target = pipe.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = pipe.ask("Target.attachToTarget", targetId=target,
                                flatten=True)["sessionId"]
        pipe.pages[self.session] = self
        for domain in "Page", "Runtime", "Network", "Log":
            self.ask(f"{domain}.enable")

    def happened(self, method, what):
        """Keeps what tests want to know of."""
        if method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.troubles.append(what["exceptionDetails"]["text"])
        elif method == "Log.entryAdded":
            self.troubles.append(what["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.pipe.post("Page.handleJavaScriptDialog", self.session,
                           accept=True, promptText=self.prompt or "")

    def ask(self, method, **parameters):
        """A command for this tab."""
        return self.pipe.ask(method, self.session, **parameters)

    def open(self, url):
        """Goes there, until all of it is loaded."""
        self.ask("Page.navigate", url=url)
        self.pipe.wait(lambda message: message.get("method") ==
                       "Page.loadEventFired" and
                       message.get("sessionId") == self.session)

    def evaluate(self, expression):
        """The value of JavaScript."""
        answer = self.ask("Runtime.evaluate", expression=expression,
                          returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def until(self, condition):
        """Whether JavaScript comes true in time."""
        return self.evaluate(WAIT % condition)

    def click(self, element):
        """Clicks into the middle of what JavaScript says."""
        where = self.evaluate(f"""(() => {{
            const element = {element};
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in "mousePressed", "mouseReleased":
            self.ask("Input.dispatchMouseEvent", type=kind, x=where[0],
                     y=where[1], button="left", clickCount=1)

    def type(self, text):
        """Into what has the focus."""
        self.ask("Input.insertText", text=text)

    def picture(self, file, whole=True):
        """A picture of the page, or of what is seen of it."""
        data = self.ask("Page.captureScreenshot", format="png",
                        captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(data))


class Browser:
    """Starts one with an empty profile, and ends it."""

    def __init__(self):
        # It may write there up to its end.
        # pylint: disable-next=consider-using-with
        self.folder = tempfile.TemporaryDirectory(prefix="check-exports-browser-",
                                                  ignore_cleanup_errors=True)
        there, writer = os.pipe()
        reader, here = os.pipe()
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(
            ["bash", "-c", SHELL, "browser", str(there), str(here), "chromium",
             *WORDS, f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(there, here), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(here)
        self.pipe = Pipe(reader, writer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.pipe.post("Browser.close", None)
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.pipe.reader)
        os.close(self.pipe.writer)
        self.folder.cleanup()

    def page(self):
        """A new tab."""
        return Page(self.pipe)
