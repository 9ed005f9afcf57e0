import { createJiti } from 'jiti';

// Node finds @google/adk beside this file; nothing is mapped.
const jiti = createJiti(import.meta.url);
const { cases } = await jiti.import('./cases/index.ts');
const { play } = await jiti.import('./play.ts');

const played = {};
for (const one of cases) {
  // Its parent names it when it does not end.
  process.send({ begins: one.name });
  played[one.name] = await play(one, await jiti.import(`../agents/${one.agent}.ts`));
}
process.send({ played }, () => process.disconnect());
