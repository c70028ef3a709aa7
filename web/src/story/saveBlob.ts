/** Lets the browser save a file under a name. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[\\/:*?"<>|]/g, "_");
  link.click();
  URL.revokeObjectURL(link.href);
}
