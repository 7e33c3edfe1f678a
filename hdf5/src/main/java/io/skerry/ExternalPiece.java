package io.skerry;

import io.skerry.chunk.FormatException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiFile;
import io.skerry.mpi.OpenMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A stretch of another file that holds some of a dataset's elements.
 *
 * @param name the file, as the dataset names it
 * @param offset first byte in that file
 * @param size bytes; {@link Long#MAX_VALUE} if it goes on for ever
 */
record ExternalPiece(String name, long offset, long size) {
  /**
   * Reads part of the piece. Where the file ends before the piece does, the rest is zeros, as HDF5
   * reads it.
   *
   * @param start first byte within the piece
   * @param owner the HDF5 file: relative names are looked up beside it, then in the working
   *     directory
   * @throws FormatException if there is no such file
   */
  void read(long start, MemorySegment out, Path owner) {
    Path file = find(owner);
    long from = Math.addExact(offset, start);
    try (MpiFile open = Communicator.self().openFile(file, OpenMode.READ, Map.of())) {
      long there = Math.clamp(open.size() - from, 0, out.byteSize());
      open.readAt(from, out.asSlice(0, there));
      out.asSlice(there).fill((byte) 0);
    }
  }

  private Path find(Path owner) {
    try {
      Path beside = owner.toAbsolutePath().resolveSibling(name);
      Path found = Files.isRegularFile(beside) ? beside : Path.of(name);
      if (Files.isRegularFile(found)) {
        return found;
      }
    } catch (InvalidPathException e) {
      throw new FormatException("name of an external data file", "a file name", name);
    }
    throw new FormatException("external data file", "a file named " + name, "none");
  }
}
