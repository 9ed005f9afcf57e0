import { readFileSync, writeFileSync } from 'node:fs';
import { subjects } from '@skein/contracts';
import { NatsAccess } from '@skein/stack';

/** As a server was configured before workers asked runners to take results (ADR 35): nobody may. */
export class AccessWithoutAnswers extends NatsAccess {
  override write(dataDir: string): string {
    const file = super.write(dataDir);
    const config: unknown = JSON.parse(readFileSync(file, 'utf8'), (_key, value: unknown) =>
      Array.isArray(value)
        ? value.filter((one) => !JSON.stringify(one).includes(subjects.everyAnswer))
        : value,
    );
    writeFileSync(file, JSON.stringify(config));
    return file;
  }
}
