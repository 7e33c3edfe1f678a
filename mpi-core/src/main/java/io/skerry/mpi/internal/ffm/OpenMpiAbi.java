package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The binary interface (ABI) of Open MPI 4 and 5. Source: Open MPI's {@code mpi.h}.
 *
 * <p>Handles are pointers; predefined handles are the addresses of exported objects. The layout of
 * {@code MPI_Status}, with offsets in bytes:
 *
 * <pre>
 *   0       4       8       12                      24
 *   +-------+-------+-------+-----------------------+
 *   |source |tag    |error  |(private)              |
 *   +-------+-------+-------+-----------------------+
 * </pre>
 */
final class OpenMpiAbi extends Abi {
  /** A symbol that only Open MPI exports. */
  static final String WORLD_SYMBOL = "ompi_mpi_comm_world";

  private final long world;
  private final long errorsReturn;
  private final long byteType;
  private final long infoNull;
  private final Map<ElementKind, Long> types = new EnumMap<>(ElementKind.class);
  private final Map<Reduction, Long> operations = new EnumMap<>(Reduction.class);

  /**
   * Creates the interface and looks up its predefined handles.
   *
   * @param address the function that returns the address of an exported object
   */
  OpenMpiAbi(ToLongFunction<String> address) {
    world = address.applyAsLong(WORLD_SYMBOL);
    errorsReturn = address.applyAsLong("ompi_mpi_errors_return");
    byteType = address.applyAsLong("ompi_mpi_byte");
    infoNull = address.applyAsLong("ompi_mpi_info_null");
    for (var kind : ElementKind.values()) {
      types.put(kind, address.applyAsLong("ompi_mpi_" + symbol(kind)));
    }
    for (var op : Reduction.values()) {
      operations.put(op, address.applyAsLong("ompi_mpi_op_" + symbol(op)));
    }
  }

  private static String symbol(ElementKind kind) {
    return switch (kind) {
      case U8 -> "uint8_t";
      case I32 -> "int32_t";
      case I64 -> "int64_t";
      case F64 -> "double";
    };
  }

  private static String symbol(Reduction op) {
    return switch (op) {
      case SUM -> "sum";
      case MIN -> "min";
      case MAX -> "max";
      case BIT_OR -> "bor";
      case BIT_AND -> "band";
    };
  }

  @Override
  String family() {
    return "Open MPI";
  }

  @Override
  long world() {
    return world;
  }

  @Override
  long errorsReturn() {
    return errorsReturn;
  }

  @Override
  long byteType() {
    return byteType;
  }

  @Override
  long infoNull() {
    return infoNull;
  }

  @Override
  long typeOf(ElementKind kind) {
    return types.getOrDefault(kind, byteType);
  }

  @Override
  long operationOf(Reduction op) {
    return operations.getOrDefault(op, MemorySegment.NULL.address());
  }

  @Override
  int anySource() {
    return -1;
  }

  @Override
  int threadFunneled() {
    return 1;
  }

  @Override
  int readOnly() {
    return 2;
  }

  @Override
  int readWrite() {
    return 8;
  }

  @Override
  int maxErrorString() {
    return 257;
  }

  @Override
  int statusBytes() {
    return 24;
  }

  @Override
  int statusSourceOffset() {
    return 0;
  }

  @Override
  boolean comparesUnsignedBytes() {
    return true;
  }

  // Judges only by the parameter that selects a component; by default, Open MPI uses
  // OMPIO on most file systems.
  @Override
  String fileComponent(Map<String, String> environment) {
    var chosen = environment.getOrDefault("OMPI_MCA_io", "");
    return chosen.startsWith("romio") ? "ROMIO (" + chosen + ")" : "OMPIO";
  }

  @Override
  boolean wideHandles() {
    return true;
  }

  @Override
  MpiErrorClass errorClass(int value) {
    return standardErrorClass(value);
  }
}
