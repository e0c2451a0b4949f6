/** Git gave other content than an object's id says: somebody wrote into the repository's objects, or the disk is failing. */
export class ForgedObject extends Error {
  constructor(type: string, oid: string) {
    super(`the ${type} ${oid} holds other content than its id says`);
    this.name = "ForgedObject";
  }
}
