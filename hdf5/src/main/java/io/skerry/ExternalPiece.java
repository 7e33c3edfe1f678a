package io.skerry;

import io.skerry.chunk.FormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A stretch of another file that holds some of a dataset's elements.
 *
 * @param name the file, as the dataset names it
 * @param offset first byte in that file
 * @param size bytes; {@link Long#MAX_VALUE} if it goes on for ever
 */
record ExternalPiece(String name, long offset, long size) {
  private static final int BUFFER = 1 << 20;

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
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER, out.byteSize()));
      long at = 0;
      while (at < out.byteSize()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), out.byteSize() - at));
        int count = channel.read(buffer, Math.addExact(Math.addExact(offset, start), at));
        if (count < 0) {
          out.asSlice(at).fill((byte) 0);
          return;
        }
        MemorySegment.copy(MemorySegment.ofBuffer(buffer.flip()), 0, out, at, count);
        at += count;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an external data file cannot be read: file=" + file, e);
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
