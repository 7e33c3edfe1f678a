package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * A number of bytes, expressed as a count and a datatype for an MPI call. Counts are {@code int},
 * so the datatype is {@code MPI_BYTE} for fewer than 2 GiB; otherwise, the count is 1 and the
 * datatype spans all bytes. Both forms have the same type signature, so the sender and the receiver
 * may use different forms.
 *
 * @param count the number of elements
 * @param type the datatype of the elements
 * @param derived the same datatype if {@link #close} must free it; empty for {@code MPI_BYTE}
 */
record ByteCount(int count, long type, Optional<Long> derived) implements AutoCloseable {
  private static final int UNIT = 1 << 30;

  static ByteCount of(long bytes, FfmCommunicator communicator) {
    if (bytes <= Integer.MAX_VALUE) {
      return new ByteCount((int) bytes, Libmpi.ABI.byteType(), Optional.empty());
    }
    try (var arena = Arena.ofConfined()) {
      var unit = arena.allocate(JAVA_LONG);
      communicator.check(TypeCalls.contiguous(UNIT, Libmpi.ABI.byteType(), unit), "datatype");
      int units = Math.toIntExact(bytes / UNIT);
      int rest = (int) (bytes % UNIT);
      var lengths = arena.allocateFrom(JAVA_INT, units, rest);
      var displacements = arena.allocateFrom(JAVA_LONG, 0, (long) units * UNIT);
      var types = Libmpi.ABI.array(arena, Libmpi.ABI.handle(unit), Libmpi.ABI.byteType());
      var whole = arena.allocate(JAVA_LONG);
      int members = rest == 0 ? 1 : 2;
      int code = TypeCalls.struct(members, lengths, displacements, types, whole);
      communicator.check(TypeCalls.free(unit), "datatype");
      communicator.check(code, "datatype");
      communicator.check(TypeCalls.commit(whole), "datatype");
      long made = Libmpi.ABI.handle(whole);
      return new ByteCount(1, made, Optional.of(made));
    }
  }

  /**
   * Frees the datatype unless it is {@code MPI_BYTE}. MPI keeps the datatype until pending messages
   * no longer need it.
   */
  @Override
  public void close() {
    derived.ifPresent(handle -> {
      try (var arena = Arena.ofConfined()) {
        TypeCalls.free(Libmpi.ABI.place(arena, handle));
      }
    });
  }
}
