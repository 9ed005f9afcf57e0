import { sniffType } from './sniff-type';

describe('the type that bytes begin like', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8', 'image/webp'],
    ['%PDF-1.7', 'application/pdf'],
    ['PK\x03\x04', 'application/zip'],
    ['\x1f\x8b\x08', 'application/gzip'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['\x7fELF\x02', 'application/x-executable'],
    ['#!/bin/sh', 'application/x-executable'],
    ['  <!DOCTYPE html>', 'text/html'],
    ['<script>alert(1)</script>', 'text/html'],
    ['\xef\xbb\xbf<svg onload=x>', 'image/svg+xml'],
    ['<?xml version="1.0"?>', 'text/xml'],
    ['a;b;c', undefined],
    ['', undefined],
    ['a <script>', undefined],
  ])('row 32: %j is %s', (text, mimeType) => {
    expect(sniffType(Buffer.from(text, 'latin1'))).toBe(mimeType);
  });
});
