import { pipeline, Readable, Transform } from "node:stream";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import { inOneLine, Problem } from "#app/infra/problem.server.ts";
import { locationText, type StoreLocation } from "./location.ts";
import type { ObjectStore } from "./object-store.ts";

/** The store cannot be reached, or does not answer in time; a retry may succeed. */
export class StoreAway extends Problem {}

/** In ms: the limits for a connection and for the next bytes on it. TRIES: how often each call is tried. */
const CONNECT_TIMEOUT = SECOND;
const IDLE_TIMEOUT = 2 * SECOND;
const TRIES = 2;
/** The limits of a response: larger than the largest picture, and longer than a slow line takes for it. */
const MOST_BYTES = 64 * 1024 * 1024;
const WHOLE_WITHIN = 30 * SECOND;
/**
 * After so many failures in a row, calls fail at once for a while: requests that wait for a dead store would occupy
 * connections.
 */
const MOST_FAILURES = 4;
const PAUSE = SECOND;

type Bucket = Exclude<StoreLocation, { folder: string }>;

/**
 * A bucket of an S3-compatible store. The S3 library is loaded with the first call: a shop with a folder does not need
 * it.
 */
export function bucketStore(location: Bucket): ObjectStore {
  const { bucket: Bucket, prefix } = location;
  const where = locationText(location);
  const state = dependency(where);
  let opened: ReturnType<typeof openClient> | undefined;
  let failures = 0;
  let lastFailure = 0;

  /** The result of a call; undefined if there is no such file. */
  async function ask<T>(call: (s3: Awaited<ReturnType<typeof openClient>>) => Promise<T>): Promise<T | undefined> {
    if (failures >= MOST_FAILURES && performance.now() - lastFailure < PAUSE) throw away(where, "it did not before");
    opened ??= openClient();
    try {
      const given = await call(await opened);
      works();
      return given;
    } catch (error) {
      if (isMissing(error)) return works();
      const problem = problemOf(error, where);
      state.failed(problem);
      if (problem instanceof StoreAway) {
        failures++;
        lastFailure = performance.now();
      }
      throw problem;
    }
  }
  function works(): undefined {
    failures = 0;
    state.works();
  }
  return {
    read: (name) =>
      ask(async ({ client, GetObjectCommand }) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + name }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      }),
    async write(name, bytes) {
      await ask(({ client, PutObjectCommand }) =>
        client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body: bytes })),
      );
    },
    async remove(name) {
      await ask(({ client, DeleteObjectCommand }) =>
        client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name })),
      );
    },
    async *list(which) {
      const wanted = { Bucket, Prefix: prefix, Delimiter: which === "top" ? "/" : undefined };
      let ContinuationToken: string | undefined;
      do {
        const page = await ask(({ client, ListObjectsV2Command }) =>
          client.send(new ListObjectsV2Command({ ...wanted, ContinuationToken })),
        );
        for (const { Key } of page?.Contents ?? []) if (Key) yield Key.slice(prefix.length);
        ContinuationToken = page?.NextContinuationToken;
      } while (ContinuationToken);
    },
  };
}

/**
 * The library finds the credentials: in AWS_ACCESS_KEY_ID and similar variables, in a profile, or by the machine's
 * role.
 */
async function openClient() {
  const library = await import("@aws-sdk/client-s3");
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const client = new library.S3Client({
    endpoint,
    region: env.AWS_REGION ?? (endpoint && "us-east-1"), // most stores other than Amazon's have this one
    forcePathStyle: endpoint !== undefined, // other stores seldom have a host name for each bucket
    maxAttempts: TRIES,
    requestChecksumCalculation: "WHEN_REQUIRED", // not every store knows the newer checksums
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT, socketTimeout: IDLE_TIMEOUT },
  });
  client.middlewareStack.add(
    (next) => async (asked) => {
      const answer = await next(asked);
      boundBody(answer.response);
      return answer;
    },
    { step: "deserialize", priority: "low" }, // applies to the raw response
  );
  return { ...library, client };
}

/** Limits the body of a response, which the library would read without an end. */
function boundBody(response: unknown): void {
  if (typeof response !== "object" || response === null || !("body" in response)) return;
  const { body } = response;
  if (!(body instanceof Readable)) return;
  const deadline = performance.now() + WHOLE_WITHIN;
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > MOST_BYTES || performance.now() > deadline) done(new Error("an answer without end"));
      else done(null, chunk);
    },
  });
  response.body = bounded;
  pipeline(body, bounded, () => undefined); // the reader of the body gets the error
}

type Failure = { name?: string; message?: string; $metadata?: { httpStatusCode?: number } };

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as Failure;
  return name === "NoSuchKey" || name === "NotFound" || ($metadata?.httpStatusCode === 404 && name !== "NoSuchBucket");
}

/** Distinguishes errors that the owner can correct from temporary ones (StoreAway). */
function problemOf(error: unknown, where: string): Problem {
  const { name = "", message = "", $metadata } = error as Failure;
  const status = $metadata?.httpStatusCode ?? 0;
  const why = inOneLine(message || errorCode(error) || name);
  if (name === "NoSuchBucket") return refused(where, "there is no such bucket: make it, or correct its name");
  if (status >= 400 && status < 500 && status !== 429 && name !== "RequestTimeout")
    return refused(where, `the store refuses (${name}: ${why}): correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  if (name === "CredentialsProviderError")
    return refused(where, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are missing");
  if (status === 0 && /region is missing/i.test(message)) return refused(where, "AWS_REGION is missing");
  return away(where, why);
}

const refused = (where: string, why: string) => new Problem(`PICTURES_URL: ${where}: ${why}`);
const away = (where: string, why: string) => new StoreAway(`PICTURES_URL: ${where} does not answer (${why})`);
