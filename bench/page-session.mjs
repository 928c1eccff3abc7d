// A page of the browser without the tools of a test: Playwright listens to every page's scripts, and V8 then reads a script again
// to note the place of each error that it makes, which React's script does five times. A reader's browser does not.

/** Opens a page with an empty cache in which `script` runs before any other, hands it to `use`, and returns the result. */
export async function withBareSession(browser, script, use) {
  const root = await browser.newBrowserCDPSession();
  const { browserContextId } = await root.send('Target.createBrowserContext');
  try {
    const size = { width: 1440, height: 900 };
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      ...size,
    });
    const send = await attach(root, targetId);
    await send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
    await send('Page.enable');
    await send('Page.addScriptToEvaluateOnNewDocument', { source: script });
    return await use({
      goto: (url) => send('Page.navigate', { url }),
      async evaluate(work) {
        const asked = { expression: `(${String(work)})()`, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await send('Runtime.evaluate', asked);
        if (exceptionDetails !== undefined)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      },
    });
  } finally {
    await root.send('Target.disposeBrowserContext', { browserContextId });
    await root.detach();
  }
}

/** Returns a function that sends a command to the page and resolves with its answer. */
async function attach(root, targetId) {
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: false });
  const asked = new Map();
  root.on('Target.receivedMessageFromTarget', (received) => {
    if (received.sessionId !== sessionId) return;
    const { id, result, error } = JSON.parse(received.message);
    if (id === undefined) return;
    const { resolve, reject } = asked.get(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error.message));
  });
  let last = 0;
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      asked.set(last, { resolve, reject });
      const message = JSON.stringify({ id: last, method, params });
      root.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
    });
}
