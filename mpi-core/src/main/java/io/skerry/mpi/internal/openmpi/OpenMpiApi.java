package io.skerry.mpi.internal.openmpi;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.jar.JarClasses;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * The methods of Open MPI's Java bindings for communicators and messages. Communicators, datatypes
 * and other handles are {@link Object}s. Buffers are direct {@link Buffer}s; the bindings use only
 * their addresses.
 */
final class OpenMpiApi {
  private static final long LONGEST = 1L << 30;
  private static final String MPI = "mpi.MPI";
  private static final String COMM = "mpi.Comm";
  private static final String INTRACOMM = "mpi.Intracomm";
  private static final String DATATYPE = "mpi.Datatype";
  private static final String STATUS = "mpi.Status";
  private static final String REQUEST = "mpi.Request";

  final JarClasses classes;
  final Object world;
  final Object bytes;
  final int anySource;

  final MethodHandle rank;
  final MethodHandle size;
  final MethodHandle returnErrors;
  final MethodHandle duplicate;
  final MethodHandle split;
  final MethodHandle free;
  final MethodHandle abort;
  final MethodHandle end;

  final MethodHandle broadcast;
  final MethodHandle gather;
  final MethodHandle scatter;
  final MethodHandle allGather;
  final MethodHandle allGatherVariable;
  final MethodHandle allToAll;
  final MethodHandle allReduce;
  final MethodHandle exclusiveScan;

  final MethodHandle send;
  final MethodHandle receive;
  final MethodHandle sendLater;
  final MethodHandle receiveLater;
  final MethodHandle test;
  final MethodHandle await;

  final MethodHandle contiguous;
  final MethodHandle struct;
  final MethodHandle indexed;
  final MethodHandle commit;
  final MethodHandle freeType;
  final Class<?> datatype;

  private final MethodHandle statusSource;
  private final MethodHandle statusTag;
  private final MethodHandle elements;
  private final MethodHandle count;

  OpenMpiApi(JarClasses classes) {
    this.classes = classes;
    datatype = classes.named(DATATYPE);
    var op = classes.named("mpi.Op");
    var status = classes.named(STATUS);
    var request = classes.named(REQUEST);
    var intracomm = classes.named(INTRACOMM);
    world = classes.constant(MPI, "COMM_WORLD");
    bytes = classes.constant(MPI, "BYTE");
    anySource = (int) classes.constant(MPI, "ANY_SOURCE");

    rank = classes.method(COMM, "getRank", int.class);
    size = classes.method(COMM, "getSize", int.class);
    returnErrors =
        classes.method(COMM, "setErrhandler", void.class, classes.named("mpi.Errhandler"));
    duplicate = classes.method(INTRACOMM, "dup", intracomm);
    split = classes.method(INTRACOMM, "split", intracomm, int.class, int.class);
    free = classes.method(COMM, "free", void.class);
    abort = classes.method(COMM, "abort", void.class, int.class);
    end = classes.function(MPI, "Finalize", void.class);

    Class<?> any = Object.class;
    Class<?> n = int.class;
    broadcast = classes.method(COMM, "bcast", void.class, any, n, datatype, n);
    gather = classes.method(COMM, "gather", void.class, any, n, datatype, any, n, datatype, n);
    scatter = classes.method(COMM, "scatter", void.class, any, n, datatype, any, n, datatype, n);
    allGather = classes.method(COMM, "allGather", void.class, any, n, datatype, any, n, datatype);
    allGatherVariable =
        classes.method(
            COMM,
            "allGatherv",
            void.class,
            any,
            n,
            datatype,
            any,
            int[].class,
            int[].class,
            datatype);
    allToAll = classes.method(COMM, "allToAll", void.class, any, n, datatype, any, n, datatype);
    allReduce = classes.method(COMM, "allReduce", void.class, any, any, n, datatype, op);
    exclusiveScan = classes.method(INTRACOMM, "exScan", void.class, any, any, n, datatype, op);

    send = classes.method(COMM, "send", void.class, any, n, datatype, n, n);
    receive = classes.method(COMM, "recv", status, any, n, datatype, n, n);
    sendLater = classes.method(COMM, "iSend", request, Buffer.class, n, datatype, n, n);
    receiveLater = classes.method(COMM, "iRecv", request, Buffer.class, n, datatype, n, n);
    test = classes.method(REQUEST, "testStatus", status);
    await = classes.method(REQUEST, "waitStatus", status);

    contiguous = classes.function(DATATYPE, "createContiguous", datatype, n, datatype);
    struct =
        classes.function(
            DATATYPE, "createStruct", datatype, int[].class, int[].class, datatype.arrayType());
    indexed =
        classes.function(DATATYPE, "createHIndexed", datatype, int[].class, int[].class, datatype);
    commit = classes.method(DATATYPE, "commit", void.class);
    freeType = classes.method(DATATYPE, "free", void.class);

    statusSource = classes.method(STATUS, "getSource", n);
    statusTag = classes.method(STATUS, "getTag", n);
    var counter = classes.named("mpi.Count");
    elements = classes.method(STATUS, "getElementsX", counter, datatype);
    count = classes.method("mpi.Count", "getCount", long.class);
  }

  /**
   * Returns a buffer at the address of native memory. It covers at most the first 1 GiB of the
   * memory, which is sufficient because the bindings use only its address.
   */
  static ByteBuffer buffer(MemorySegment memory) {
    return memory.asSlice(0, Math.min(memory.byteSize(), LONGEST)).asByteBuffer();
  }

  /** Returns the MPI datatype for an element kind. */
  Object typeOf(ElementKind kind) {
    return classes.constant(
        MPI,
        switch (kind) {
          // BYTE is unsigned in these bindings, unlike the byte type of Java.
          case U8 -> "BYTE";
          case I32 -> "INT";
          case I64 -> "LONG";
          case F64 -> "DOUBLE";
        });
  }

  /** Returns the operation that performs a reduction. */
  Object operationOf(Reduction op) {
    return classes.constant(
        MPI,
        switch (op) {
          case SUM -> "SUM";
          case MIN -> "MIN";
          case MAX -> "MAX";
          case BIT_OR -> "BOR";
          case BIT_AND -> "BAND";
        });
  }

  int source(Object status) throws Throwable {
    return (int) statusSource.invokeExact(status);
  }

  int tag(Object status) throws Throwable {
    return (int) statusTag.invokeExact(status);
  }

  long bytes(Object status) throws Throwable {
    return (long) count.invokeExact((Object) elements.invokeExact(status, bytes));
  }
}
