package io.skerry.format.block;

/** Kinds of blocks that this library writes, with their signatures on disk, if any. */
public enum BlockKind {
  /** Superblock, which begins with the format signature of HDF5. */
  SUPERBLOCK,
  /** First chunk of an object header: {@code OHDR} in version 2, no signature in version 1. */
  OBJECT_HEADER,
  /** Continuation of an object header: {@code OCHK} in version 2, no signature in version 1. */
  OBJECT_HEADER_CONTINUATION,
  /** Node of a version 1 B-tree of the links of a group, {@code TREE}. */
  GROUP_TREE_NODE,
  /** Symbol table node, {@code SNOD}. */
  SYMBOL_TABLE_NODE,
  /** Header of a local heap, {@code HEAP}, or its data segment, which has no signature. */
  LOCAL_HEAP,
  /** Table of shared messages, {@code SMTB}. */
  SHARED_MESSAGE_TABLE,
  /** List of shared messages, {@code SMLI}. */
  SHARED_MESSAGE_LIST,
  /** Fixed array header, {@code FAHD}. */
  FIXED_ARRAY_HEADER,
  /** Fixed array data block, or its prefix if paged, {@code FADB}. */
  FIXED_ARRAY_DATA_BLOCK,
  /** Extensible array header, {@code EAHD}. */
  EXTENSIBLE_ARRAY_HEADER,
  /** Extensible array index block, {@code EAIB}. */
  EXTENSIBLE_ARRAY_INDEX_BLOCK,
  /** Extensible array super block, {@code EASB}. */
  EXTENSIBLE_ARRAY_SUPER_BLOCK,
  /** Extensible array data block, or its prefix if paged, {@code EADB}. */
  EXTENSIBLE_ARRAY_DATA_BLOCK,
  /** Node of a version 1 B-tree of chunks, {@code TREE}. */
  CHUNK_BTREE_NODE,
  /** A stored chunk that is replaced in place. */
  CHUNK,
  /** Version 2 B-tree header, {@code BTHD}. */
  BTREE2_HEADER,
  /** Version 2 B-tree internal node, {@code BTIN}. */
  BTREE2_INTERNAL,
  /** Version 2 B-tree leaf, {@code BTLF}. */
  BTREE2_LEAF,
  /** Fractal heap header, {@code FRHP}. */
  FRACTAL_HEAP_HEADER,
  /** Fractal heap direct block, {@code FHDB}. */
  FRACTAL_HEAP_DIRECT_BLOCK,
  /** Fractal heap indirect block, {@code FHIB}. */
  FRACTAL_HEAP_INDIRECT_BLOCK,
  /** A huge object of a fractal heap, which has no signature. */
  FRACTAL_HEAP_HUGE_OBJECT,
  /** Global heap collection, {@code GCOL}. */
  GLOBAL_HEAP_COLLECTION,
  /** Elements of a contiguous dataset, which have no signature. */
  ELEMENTS
}
