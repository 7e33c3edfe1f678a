package io.skerry.iod.engine;

/** The way in which a container is opened. */
public enum ContainerAccess {
  /** Reading only. */
  READ,
  /** Reading and writing; each shard has at most one opener of this kind at a time. */
  WRITE
}
