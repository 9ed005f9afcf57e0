import { writeFileSync } from 'node:fs';
import { currentPage, PAGE_FILE } from './page-file';

writeFileSync(PAGE_FILE, currentPage());
