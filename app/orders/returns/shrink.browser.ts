/** The longer side of what is sent: as large as the shop keeps it. */
const SIDE = 2000;
const SMALL = 400_000;

/** Makes the chosen pictures of a form smaller, so that they arrive on a slow network too. What the browser cannot read is sent as it is. */
export async function shrinkPictures(form: HTMLFormElement): Promise<void> {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input?.files) return;
  const smaller = new DataTransfer();
  for (const file of input.files) smaller.items.add(await shrunk(file));
  input.files = smaller.files;
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
