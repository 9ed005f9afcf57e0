import { type Client } from 'minio';
import { isDone } from '../object-store';
import { asObjectError, codeOf, unavailable } from './s3-error';

/** S3 takes no smaller ones but for the last; 10,000 of them make 50 GB. */
const PART_BYTES = 5 * 1024 * 1024;
const FIRST_BUFFER_BYTES = 64 * 1024;

/** One call to the server, again when that may help. */
export type Ask = <T>(work: () => Promise<T>) => Promise<T>;

export interface UploadTarget {
  readonly client: Client;
  /** Less patient, for what need not be done now. */
  readonly hurriedClient: Client;
  readonly bucket: string;
  readonly name: string;
  readonly ask: Ask;
}

/**
 * Bytes of any number into one object, holding one part of them: a part is sent again from memory when it fails, which a
 * stream could not be. The client's own upload of streams looks for an earlier one to go on with, and waits for ever for a
 * source that failed.
 */
export class PartedUpload {
  #buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  #filledBytes = 0;
  #sizeBytes = 0;
  #uploadId: string | undefined;
  readonly #parts: { readonly part: number; readonly etag: string }[] = [];

  constructor(private readonly target: UploadTarget) {}

  async write(chunk: Uint8Array): Promise<void> {
    let taken = 0;
    while (taken < chunk.byteLength) {
      if (this.#filledBytes === this.#buffer.byteLength) await this.#makeRoom();
      const piece = chunk.subarray(taken, taken + this.#buffer.byteLength - this.#filledBytes);
      this.#buffer.set(piece, this.#filledBytes);
      this.#filledBytes += piece.byteLength;
      taken += piece.byteLength;
    }
    this.#sizeBytes += chunk.byteLength;
  }

  /** From here on it is an object. */
  async end(): Promise<void> {
    const { client, bucket, name, ask } = this.target;
    if (this.#uploadId === undefined) {
      const content = this.#buffer.subarray(0, this.#filledBytes);
      await ask(() => client.putObject(bucket, name, content, content.byteLength));
      return;
    }
    await this.#send();
    await this.#complete(this.#uploadId);
  }

  /** Once: parts that cannot be dropped now are found by the look for unfinished uploads, and somebody waits. */
  async abort(): Promise<void> {
    const { hurriedClient, bucket, name } = this.target;
    if (this.#uploadId === undefined) return;
    await isDone(hurriedClient.abortMultipartUpload(bucket, name, this.#uploadId));
  }

  async #makeRoom(): Promise<void> {
    if (this.#buffer.byteLength === PART_BYTES) return this.#send();
    const larger = Buffer.allocUnsafe(Math.min(2 * this.#buffer.byteLength, PART_BYTES));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }

  async #send(): Promise<void> {
    const { client, bucket, name, ask } = this.target;
    this.#uploadId ??= await ask(() => client.initiateNewMultipartUpload(bucket, name, {}));
    const uploadID = this.#uploadId;
    const partNumber = this.#parts.length + 1;
    const content = this.#buffer.subarray(0, this.#filledBytes);
    const { etag } = await ask(() =>
      client.uploadPart({ bucketName: bucket, objectName: name, uploadID, partNumber, headers: {} }, content),
    );
    this.#parts.push({ part: partNumber, etag });
    this.#filledBytes = 0;
  }

  async #complete(uploadId: string): Promise<void> {
    const { client, bucket, name, ask } = this.target;
    try {
      await ask(() =>
        client.completeMultipartUpload(bucket, name, uploadId, this.#parts).catch((error: unknown) => {
          // The server may answer 200 first and fail then: what the client throws of such a body has no code.
          throw codeOf(error) === '' ? unavailable('the upload was not completed', error) : error;
        }),
      );
    } catch (error) {
      // It was completed, and only the answer lost, when the object is there.
      if (codeOf(asObjectError(error).cause) !== 'NoSuchUpload') throw error;
      const { size } = await ask(() => client.statObject(bucket, name));
      if (size !== this.#sizeBytes) throw error;
    }
  }
}
