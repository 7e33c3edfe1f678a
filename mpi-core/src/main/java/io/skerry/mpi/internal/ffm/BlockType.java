package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.file.FileView;
import java.lang.foreign.Arena;

/**
 * A file view as an MPI datatype of bytes. Views contain no empty blocks, which some MPI libraries
 * mishandle in a datatype. The datatype of a view without blocks is {@code MPI_BYTE}, to be used
 * with a count of 0.
 *
 * @param type the handle of the datatype
 * @param derived true if the datatype must be freed
 */
record BlockType(long type, boolean derived) implements AutoCloseable {

  /**
   * Creates the datatype of a view.
   *
   * @param view the view, with blocks of at most {@link Integer#MAX_VALUE} bytes
   * @param communicator the communicator that exceptions name
   */
  static BlockType of(FileView view, FfmCommunicator communicator) {
    if (view.isEmpty()) {
      return new BlockType(Libmpi.ABI.byteType(), false);
    }
    int blocks = view.blocks();
    try (var arena = Arena.ofConfined()) {
      var lengths = arena.allocate(JAVA_INT, blocks);
      var displacements = arena.allocate(JAVA_LONG, blocks);
      for (int i = 0; i < blocks; i++) {
        lengths.setAtIndex(JAVA_INT, i, Math.toIntExact(view.length(i)));
        displacements.setAtIndex(JAVA_LONG, i, view.offset(i));
      }
      var type = arena.allocate(JAVA_LONG);
      communicator.check(
          TypeCalls.indexed(blocks, lengths, displacements, Libmpi.ABI.byteType(), type),
          "datatype");
      communicator.check(TypeCalls.commit(type), "datatype");
      return new BlockType(Libmpi.ABI.handle(type), true);
    }
  }

  @Override
  public void close() {
    if (derived) {
      try (var arena = Arena.ofConfined()) {
        TypeCalls.free(Libmpi.ABI.place(arena, type));
      }
    }
  }
}
