package io.skerry.chunk.type;

/** The type of an element as stored in the file. */
public interface Datatype {
  /** Bytes per element. */
  int size();
}
