import { readFileSync, writeFileSync } from 'node:fs';
import { subjects } from '@skein/contracts';
import { NatsAccess } from '@skein/stack';

/** As a server was configured before runners heard results (ADR 16): nobody may send one to a runner. */
export class AccessWithoutHeardResults extends NatsAccess {
  override write(dataDir: string): string {
    const file = super.write(dataDir);
    const config: unknown = JSON.parse(readFileSync(file, 'utf8'), (_key, value: unknown) =>
      Array.isArray(value)
        ? value.filter((one) => !JSON.stringify(one).includes(subjects.everyResultFor))
        : value,
    );
    writeFileSync(file, JSON.stringify(config));
    return file;
  }
}
