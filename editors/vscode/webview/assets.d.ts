// Files that esbuild takes in as text.
declare module "*.svg" {
  const text: string;
  export default text;
}
