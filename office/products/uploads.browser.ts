import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { notPicture, notSendable } from "./picture-file.ts";
import { shrunk } from "./shrunk.browser.ts";

/**
 * A picture that is being uploaded: the share that has been sent, from 0 to 1, or the problem. `isRefused`: it can
 * never be sent, so saving does not wait for it.
 */
export type Upload = {
  id: string;
  name: string;
  file: File;
  preview: string;
  sent: number;
  problem?: string;
  isRefused?: boolean;
};

const answer = z.object({
  picture: z.object({ hash: z.string(), width: z.number(), height: z.number(), background: z.string() }),
  work: z.string(),
});
export type Arrived = z.infer<typeof answer>;

const PLACE = "/products/pictures";
const WAIT = 120_000; // ms for one picture

/**
 * Uploads pictures one after the other, in the order in which they were chosen. A failed upload stays with its problem,
 * and can be repeated.
 */
export function useUploads(onArrived: (arrived: Arrived) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queue = useRef(Promise.resolve());
  const gone = useRef(new Set<string>());
  const change = (id: string, what: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...what } : one)));
  const remove = (id: string) => {
    gone.current.add(id);
    setUploads((all) => all.filter((one) => one.id !== id));
  };
  const send = (upload: Upload) => {
    queue.current = queue.current.then(async () => {
      if (gone.current.has(upload.id)) return;
      const file = await shrunk(upload.file).catch(() => upload.file);
      const refused = notSendable(file);
      if (refused) return change(upload.id, { problem: refused, isRefused: true });
      const result = await post(file, (sent) => change(upload.id, { sent }));
      if (gone.current.has(upload.id)) return;
      if (typeof result === "string") return change(upload.id, { problem: result });
      remove(upload.id);
      URL.revokeObjectURL(upload.preview);
      onArrived(result);
    });
  };
  return {
    uploads,
    /** The number of uploads that are not finished or refused. */
    awaited: uploads.filter(({ isRefused }) => !isRefused).length,
    remove,
    add(files: Iterable<File>) {
      const added = [...files].map((file): Upload => {
        const problem = notPicture(file);
        const preview = problem ? "" : URL.createObjectURL(file);
        return {
          id: crypto.randomUUID(),
          name: file.name,
          file,
          preview,
          sent: 0,
          problem,
          isRefused: Boolean(problem),
        };
      });
      setUploads((all) => [...all, ...added]);
      added.filter(({ isRefused }) => !isRefused).forEach(send);
    },
    again(upload: Upload) {
      change(upload.id, { problem: undefined, sent: 0 });
      send(upload);
    },
  };
}

/**
 * Uses XMLHttpRequest, because `fetch` does not report the progress of an upload. Resolves with the stored picture, or
 * with the problem as text.
 */
function post(file: File, onSent: (part: number) => void): Promise<Arrived | string> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", PLACE);
    request.timeout = WAIT;
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.onload = () => resolve(readAnswer(request));
    request.onerror = () => resolve("No connection");
    request.ontimeout = () => resolve("It took too long");
    const form = new FormData();
    form.set("picture", file);
    request.send(form);
  });
}

function readAnswer({ status, responseText, responseURL }: XMLHttpRequest): Arrived | string {
  if (status === 413) return "Larger than 30 MB. Save it smaller, and add that";
  if (status === 403) return "Not for your role";
  if (new URL(responseURL).pathname !== PLACE) return "You’re signed out";
  try {
    const said: unknown = JSON.parse(responseText);
    const problem = z.object({ problem: z.string() }).safeParse(said);
    return problem.success ? problem.data.problem : answer.parse(said);
  } catch {
    return "The shop isn’t answering";
  }
}

/** The uploads of a product's pictures, and the progress of the stored pictures' renderings. */
export function usePictureUploads(onArrived: (picture: Arrived["picture"]) => void) {
  const { works, follow } = useRenderings();
  const uploading = useUploads(({ picture, work }) => {
    follow(picture.hash, work);
    onArrived(picture);
  });
  return { works, ...uploading };
}

const progress = z.object({ made: z.number().default(0), all: z.number().default(0), isDone: z.boolean() });
const LOOK_EVERY = 700; // ms

/** The progress of new pictures' renderings, by hash. Finished ones are removed. */
export function useRenderings() {
  const [works, setWorks] = useState<Record<string, { work: string; made: number; all: number }>>({});
  const isWorking = Object.keys(works).length > 0;
  useEffect(() => {
    if (!isWorking) return;
    const look = async () => {
      const now = await Promise.all(
        Object.entries(works).map(async ([hash, { work, made, all }]) => {
          const said = await fetch(`${PLACE}?work=${work}`)
            .then((response) => response.json())
            .then((json: unknown) => progress.parse(json))
            .catch(() => ({ made, all, isDone: false }));
          return [hash, { work, made: said.made, all: said.all }, said.isDone] as const;
        }),
      );
      const done = now.flatMap(([hash, , isDone]) => (isDone ? [hash] : []));
      setWorks((known) => {
        const all = { ...known, ...Object.fromEntries(now.map(([hash, one]) => [hash, one])) };
        return Object.fromEntries(Object.entries(all).filter(([hash]) => !done.includes(hash)));
      });
    };
    const timer = setTimeout(look, LOOK_EVERY);
    return () => clearTimeout(timer);
  }, [isWorking, works]);
  return {
    works,
    follow: (hash: string, work: string) => setWorks((known) => ({ ...known, [hash]: { work, made: 0, all: 0 } })),
  };
}
