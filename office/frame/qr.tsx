/** A QR code. `dark` is an SVG path of its dark squares; `size` is the number of squares per side. */
export type Qr = { size: number; dark: string };

export function QrPicture({ code, label }: { code: Qr; label: string }) {
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} className="w-44 bg-white">
      <path d={code.dark} shapeRendering="crispEdges" />
    </svg>
  );
}
