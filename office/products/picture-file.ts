/** The largest picture file. It leaves room for the rest of the form within the server's limit. */
const LARGEST = 30_000_000; // bytes

type Named = { name: string; type: string };

/** Some systems give no type to a picture file, so its name is checked, too. */
const PICTURE = /\.(jpe?g|png|webp|avif|gif|tiff?|hei[cf])$/i;
const JPEG = /^image\/jpe?g$|\.jpe?g$/i;
const HEIC = /^image\/hei[cf]|\.hei[cf]$/i;

export const isHeic = ({ name, type }: Named): boolean => HEIC.test(type) || HEIC.test(name);
/** Whether encoding the file again in the browser loses little quality. */
export const isPhotograph = (file: Named): boolean => JPEG.test(file.type) || JPEG.test(file.name) || isHeic(file);

/** The reason why a chosen file is not sent, with advice. Undefined if it can be sent. */
export function notPicture({ name, type }: Named): string | undefined {
  if (type.startsWith("image/") || PICTURE.test(name)) return;
  if (type === "application/pdf" || /\.pdf$/i.test(name))
    return "A PDF isn’t a picture. Save the page as JPEG or PNG, and add that";
  if (type.startsWith("video/") || /\.(mov|mp4|m4v|avi|webm)$/i.test(name))
    return "Videos can’t be shown here. Add a picture of it";
  return "This isn’t a picture. Choose a JPEG, PNG, WebP, AVIF, GIF or TIFF";
}

/** Like `notPicture`, for the file after the browser has made it smaller if possible. */
export function notSendable(file: Named & { size: number }): string | undefined {
  if (isHeic(file))
    return "HEIC can’t be read here. Save it as JPEG. On an iPhone, choose Settings, Camera, Formats, Most Compatible";
  return file.size > LARGEST ? "Larger than 30 MB. Save it smaller, and add that" : undefined;
}
