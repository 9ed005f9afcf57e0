import { isMimeType } from './content-headers';

describe('isMimeType', () => {
  it.each(['text/csv', 'text/plain; charset="a b"', 'image/svg+xml ;q=1'])('takes %j', (text) => {
    expect(isMimeType(text)).toBe(true);
  });

  it.each(['text', 'text/html<script>', 'text/html;\r\nx=y', 'text/html\n; x=y', `text/${'x'.repeat(255)}`])(
    'refuses %j',
    (text) => {
      expect(isMimeType(text)).toBe(false);
    },
  );
});
