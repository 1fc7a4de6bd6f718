import { MOST_PICTURES } from "./return.ts";

/** The longer side of an uploaded picture in pixels, the largest size that the shop stores. */
const SIDE = 2000;
const SMALL = 400_000;

/**
 * Uploads a form's pictures. Calls `onProgress` with the uploaded part, between 0 and 1. Returns the URL that the
 * server redirects to, which tells the result, or undefined if there was no response.
 */
export async function sendPictures(
  form: HTMLFormElement,
  onProgress: (part: number) => void,
): Promise<URL | undefined> {
  const body = await withSmallerPictures(new FormData(form));
  return new Promise((resolve) => {
    const request = new XMLHttpRequest(); // fetch does not report the progress of an upload
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onreadystatechange = () => {
      if (request.readyState < XMLHttpRequest.HEADERS_RECEIVED) return;
      const { responseURL } = request;
      resolve(responseURL && responseURL !== form.action ? new URL(responseURL) : undefined);
      request.abort(); // only the URL is needed
    };
    request.open("POST", form.action);
    request.send(body);
  });
}

/**
 * The form's data with scaled-down pictures, which also arrive on a slow network. A picture that the browser cannot
 * decode is sent as it is. The form itself keeps the chosen files.
 */
async function withSmallerPictures(data: FormData): Promise<FormData> {
  const chosen = data.getAll("picture").slice(0, MOST_PICTURES + 1); // one too many is enough for the error
  data.delete("picture");
  for (const file of chosen) data.append("picture", file instanceof File ? await shrunk(file) : file);
  return data;
}

async function shrunk(file: File): Promise<File> {
  if (file.size <= SMALL) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return bytes && bytes.size < file.size ? new File([bytes], "picture.jpg", { type: "image/jpeg" }) : file;
}
