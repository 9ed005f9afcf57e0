/** What the user reads once the stack is ready: where it is, and two ways to try it. */
export function welcome(url: string, apps: readonly string[], chatOptions = ''): string {
  const app = apps.includes('quickstart') ? 'quickstart' : apps[0];
  const ready = `Skein is ready: ${url}`;
  if (app === undefined) return ready;
  const body = {
    appName: app,
    userId: 'user',
    sessionId: 'first',
    autoCreateSession: true,
    newMessage: { role: 'user', parts: [{ text: 'What is the weather in Paris?' }] },
  };
  return [
    ready,
    '',
    'Ask it something:',
    `  curl -s ${url}/run -H 'content-type: application/json' \\`,
    `    -d '${JSON.stringify(body)}'`,
    '',
    'Chat with it, in another terminal:',
    `  npm run chat -- ${app}${chatOptions}`,
    '',
    'Ctrl-C ends every process.',
    '',
  ].join('\n');
}
