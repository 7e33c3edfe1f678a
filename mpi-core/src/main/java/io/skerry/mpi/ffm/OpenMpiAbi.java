package io.skerry.mpi.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;

/**
 * The binary interface of Open MPI 4 and 5, and nothing else: the one class to write anew for
 * another MPI library. From its {@code mpi.h}.
 *
 * <p>Handles are pointers; the predefined ones are the addresses of exported objects. A status:
 *
 * <pre>
 *   0       4       8       12      16              24
 *   +-------+-------+-------+-------+---------------+
 *   |source |tag    |error  |(private)              |
 *   +-------+-------+-------+-------+---------------+
 * </pre>
 */
final class OpenMpiAbi {
  static final String WORLD_SYMBOL = "ompi_mpi_comm_world";

  static final long WORLD = Libmpi.address(WORLD_SYMBOL);
  static final long ERRORS_RETURN = Libmpi.address("ompi_mpi_errors_return");
  static final long BYTE = Libmpi.address("ompi_mpi_byte");
  static final long INFO_NULL = Libmpi.address("ompi_mpi_info_null");

  static final int HANDLE_BYTES = 8;
  static final int STATUS_BYTES = 24;
  static final int ANY_SOURCE = -1;
  static final int THREAD_FUNNELED = 1;
  static final int MODE_READ_ONLY = 2;
  static final int MODE_READ_WRITE = 8;
  static final int MAX_ERROR_STRING = 256;

  private OpenMpiAbi() {}

  static int statusSource(MemorySegment status) {
    return status.get(JAVA_INT, 0);
  }

  static int statusTag(MemorySegment status) {
    return status.get(JAVA_INT, 4);
  }

  static long typeOf(ElementKind kind) {
    return switch (kind) {
      case U8 -> Kinds.U8;
      case I32 -> Kinds.I32;
      case I64 -> Kinds.I64;
      case F64 -> Kinds.F64;
    };
  }

  static long operationOf(Reduction op) {
    return switch (op) {
      case SUM -> Operations.SUM;
      case MIN -> Operations.MIN;
      case MAX -> Operations.MAX;
      case BIT_OR -> Operations.BIT_OR;
      case BIT_AND -> Operations.BIT_AND;
    };
  }

  /** The meaning of a value of {@code MPI_Error_class}. */
  static MpiErrorClass errorClass(int value) {
    return switch (value) {
      case 15 -> MpiErrorClass.TRUNCATED;
      case 20, 45 -> MpiErrorClass.ACCESS;
      case 35 -> MpiErrorClass.IO;
      case 41, 44 -> MpiErrorClass.NO_SPACE;
      case 42 -> MpiErrorClass.NO_SUCH_FILE;
      default -> value >= 1 && value <= 13 ? MpiErrorClass.USAGE : MpiErrorClass.OTHER;
    };
  }

  private static final class Kinds {
    static final long U8 = Libmpi.address("ompi_mpi_uint8_t");
    static final long I32 = Libmpi.address("ompi_mpi_int32_t");
    static final long I64 = Libmpi.address("ompi_mpi_int64_t");
    static final long F64 = Libmpi.address("ompi_mpi_double");
  }

  private static final class Operations {
    static final long SUM = Libmpi.address("ompi_mpi_op_sum");
    static final long MIN = Libmpi.address("ompi_mpi_op_min");
    static final long MAX = Libmpi.address("ompi_mpi_op_max");
    static final long BIT_OR = Libmpi.address("ompi_mpi_op_bor");
    static final long BIT_AND = Libmpi.address("ompi_mpi_op_band");
  }
}
