/** The longer side of what is sent: as large as the shop keeps it. */
const SIDE = 2000;
const SMALL = 400_000;

/** Sends a form's pictures, and answers the page that the shop leads to, which says what is wrong; undefined where it did not answer. */
export async function sendPictures(form: HTMLFormElement): Promise<URL | undefined> {
  const body = await withSmallerPictures(new FormData(form));
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
  void answer?.body?.cancel(); // where it leads is all that is wanted of the page
  return answer?.redirected ? new URL(answer.url) : undefined;
}

/** With pictures that arrive on a slow network too; what the browser cannot read is sent as it is. The form keeps those that were chosen. */
async function withSmallerPictures(data: FormData): Promise<FormData> {
  const chosen = data.getAll("picture");
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
