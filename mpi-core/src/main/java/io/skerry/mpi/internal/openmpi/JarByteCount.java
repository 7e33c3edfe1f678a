package io.skerry.mpi.internal.openmpi;

import java.lang.reflect.Array;
import java.util.Optional;

/**
 * A number of bytes, expressed as a count and a datatype for the Java bindings. Counts are {@code
 * int}, so the datatype is {@code BYTE} for fewer than 2 GiB; otherwise, the count is 1 and the
 * datatype spans all bytes. Both forms have the same type signature, so the sender and the receiver
 * may use different forms.
 *
 * @param communicator the communicator that exceptions name
 * @param count the number of elements
 * @param type the datatype of the elements
 * @param derived the same datatype if {@link #close} must free it; empty for {@code BYTE}
 */
record JarByteCount(
    OpenMpiCommunicator communicator, int count, Object type, Optional<Object> derived)
    implements AutoCloseable {
  private static final int UNIT = 1 << 20;

  static JarByteCount of(long bytes, OpenMpiCommunicator communicator) {
    var api = communicator.api();
    if (bytes <= Integer.MAX_VALUE) {
      return new JarByteCount(communicator, (int) bytes, api.bytes, Optional.empty());
    }
    return communicator.answer("datatype", () -> whole(bytes, communicator));
  }

  // The remainder comes first, so that no displacement exceeds the 31 bits of the Java bindings.
  private static JarByteCount whole(long bytes, OpenMpiCommunicator communicator) throws Throwable {
    var api = communicator.api();
    int units = Math.toIntExact(bytes / UNIT);
    int rest = (int) (bytes % UNIT);
    var unit = (Object) api.contiguous.invokeExact(UNIT, api.bytes);
    var whole =
        rest == 0
            ? (Object) api.contiguous.invokeExact(units, unit)
            : joined(api, rest, units, unit);
    api.freeType.invokeExact(unit);
    api.commit.invokeExact(whole);
    return new JarByteCount(communicator, 1, whole, Optional.of(whole));
  }

  private static Object joined(OpenMpiApi api, int rest, int units, Object unit) throws Throwable {
    var types = Array.newInstance(api.datatype, 2);
    Array.set(types, 0, api.bytes);
    Array.set(types, 1, unit);
    return (Object) api.struct.invokeExact(new int[] {rest, units}, new int[] {0, rest}, types);
  }

  /**
   * Frees the datatype unless it is {@code BYTE}. MPI keeps the datatype until pending messages no
   * longer need it.
   */
  @Override
  public void close() {
    derived.ifPresent(made ->
        communicator.call(
            "datatype",
            () -> {
              communicator.api().freeType.invokeExact(made);
            }));
  }
}
