import { useEffect, useRef, useState } from "react";
import { z } from "zod";

/** A picture on its way: how much of it has arrived, from 0 to 1, or what went wrong. */
export type Upload = { id: string; name: string; file: File; preview: string; sent: number; problem?: string };

const answer = z.object({
  picture: z.object({ hash: z.string(), width: z.number(), height: z.number(), background: z.string() }),
  work: z.string(),
});
export type Arrived = z.infer<typeof answer>;

const PLACE = "/products/pictures";
const WAIT = 120_000; // ms for one picture
/** The longer side of what is sent: twice the largest size that the shop shows. */
const SIDE = 2400;
const SMALL = 1_500_000; // bytes

/** Sends pictures one after the other, in the order in which they were chosen. What fails stays, with its reason, and can be sent again. */
export function useUploads(onArrived: (arrived: Arrived) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const line = useRef(Promise.resolve());
  const gone = useRef(new Set<string>());
  const change = (id: string, what: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...what } : one)));
  const remove = (id: string) => {
    gone.current.add(id);
    setUploads((all) => all.filter((one) => one.id !== id));
  };
  const send = (upload: Upload) => {
    line.current = line.current.then(async () => {
      if (gone.current.has(upload.id)) return;
      const result = await post(await shrunk(upload.file).catch(() => upload.file), (sent) =>
        change(upload.id, { sent }),
      );
      if (gone.current.has(upload.id)) return;
      if (typeof result === "string") return change(upload.id, { problem: result });
      remove(upload.id);
      URL.revokeObjectURL(upload.preview);
      onArrived(result);
    });
  };
  return {
    uploads,
    remove,
    add(files: Iterable<File>) {
      const added = [...files]
        .filter(({ type }) => type.startsWith("image/"))
        .map((file) => ({
          id: crypto.randomUUID(),
          name: file.name,
          file,
          preview: URL.createObjectURL(file),
          sent: 0,
        }));
      setUploads((all) => [...all, ...added]);
      added.forEach(send);
    },
    again(upload: Upload) {
      change(upload.id, { problem: undefined, sent: 0 });
      send(upload);
    },
  };
}

/** The browser's fetch cannot tell how much of a body has gone. Resolves with what arrived, or with what went wrong. */
function post(file: Blob, onSent: (part: number) => void): Promise<Arrived | string> {
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
  if (status === 413) return "Larger than 30 MB";
  if (status === 403) return "Not for your role";
  if (new URL(responseURL).pathname !== PLACE) return "You are signed out";
  try {
    const said: unknown = JSON.parse(responseText);
    const problem = z.object({ problem: z.string() }).safeParse(said);
    return problem.success ? problem.data.problem : answer.parse(said);
  } catch {
    return "The shop does not answer";
  }
}

/** Smaller, for slow networks, where the browser can read it; what may be transparent stays as it is. */
async function shrunk(file: File): Promise<Blob> {
  if (file.size <= SMALL || !/jpe?g|hei[cf]/.test(file.type)) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const smaller = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  return smaller.size < file.size ? smaller : file;
}

/** A product's pictures on their way, and how far the sizes of those that have come are. */
export function usePictureUploads(onArrived: (picture: Arrived["picture"]) => void) {
  const { works, follow } = useSizes();
  const line = useUploads(({ picture, work }) => {
    follow(picture.hash, work);
    onArrived(picture);
  });
  return { works, ...line };
}

const progress = z.object({ made: z.number().default(0), all: z.number().default(0), isDone: z.boolean() });
const LOOK_EVERY = 700; // ms

/** How far the sizes of new pictures are, by hash; those that are done are not there. */
export function useSizes() {
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
