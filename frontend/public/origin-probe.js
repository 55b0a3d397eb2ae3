// The diagnostic tests load this page in a sandbox, where its origin is none ("null"), as any foreign page's could be.
// It tries to read the API and tells what it got. What a foreign page must not read is sent all the same: only without
// CORS can be told that a request arrives, and only then does it mean something that its answer cannot be read.
(() => {
  const blocked = [];
  document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.blockedURI));

  const outcome = (promise) =>
    promise.then(
      () => true,
      () => false,
    );
  const api = new URL('./api/', window.location.href);
  const read = (path, options) =>
    outcome(fetch(new URL(path, api), { cache: 'no-store', ...options }).then((answer) => answer.text()));

  Promise.all([
    outcome(fetch(new URL('health', api), { cache: 'no-store', mode: 'no-cors' })),
    read('health'),
    read('auth/me', { headers: { Authorization: 'Bearer origin-probe' } }),
    read('health', { credentials: 'include' }),
  ]).then(([arrives, plain, withToken, withCookies]) => {
    const readable = { plain, withToken, withCookies };
    window.parent.postMessage(
      { type: 'origin-probe', origin: window.origin, arrives, readable, blocked },
      '*',
    );
  });
})();
