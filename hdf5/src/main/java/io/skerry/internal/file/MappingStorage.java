package io.skerry.internal.file;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.heap.GlobalHeapWriter.Reference;
import io.skerry.format.layout.VirtualLayoutMessage;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Stores and releases the mappings of virtual datasets in the global heap of a file; rank 0 writes
 * them.
 */
record MappingStorage(NativeFile file) {
  /**
   * Stores encoded mappings and returns the message that refers to them, equal on all ranks.
   * Collective.
   *
   * @param path the path of the virtual dataset
   */
  VirtualLayoutMessage add(String path, MemorySegment encoded) {
    MemorySegment reference =
        file.collective()
            .heap()
            .storeCommon(
                path,
                0,
                writer -> {
                  Reference at = writer.add(encoded);
                  ByteWriter out = ByteWriter.create();
                  return out.u64(at.collection()).u32(at.index()).written();
                });
    ByteReader in = ByteReader.of(reference, "reference to virtual mappings");
    return new VirtualLayoutMessage(in.i64(), in.u32());
  }

  /**
   * Releases the mappings to which a message refers; does nothing if there are none, or if the
   * message is damaged. Local, called by all ranks.
   *
   * @param bytes the size of the mappings in bytes if the caller has just stored them, otherwise 0
   */
  void release(VirtualLayoutMessage stored, long bytes) {
    boolean valid =
        FileAddress.isDefined(stored.heapAddress())
            && stored.index() >= 1
            && stored.index() <= 0xffff;
    if (valid && file.collective().ranks().rank() == 0) {
      file.collective()
          .heap()
          .release(List.of(new Reference(stored.heapAddress(), (int) stored.index())), bytes);
    }
  }
}
