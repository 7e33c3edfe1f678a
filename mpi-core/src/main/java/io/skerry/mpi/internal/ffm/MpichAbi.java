package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Reduction;
import java.util.Map;

/**
 * The binary interface that MPICH 3.1 and later share with Intel MPI, MVAPICH and Cray MPICH.
 * Source: MPICH's {@code mpi.h}.
 *
 * <p>Handles are {@code int}; predefined handles are constants. The layout of {@code MPI_Status},
 * with offsets in bytes:
 *
 * <pre>
 *   0               8       12      16      20
 *   +---------------+-------+-------+-------+
 *   |(private)      |source |tag    |error  |
 *   +---------------+-------+-------+-------+
 * </pre>
 */
final class MpichAbi extends Abi {
  @Override
  String family() {
    return "MPICH";
  }

  @Override
  long world() {
    return 0x44000000L;
  }

  @Override
  long errorsReturn() {
    return 0x54000001L;
  }

  @Override
  long byteType() {
    return 0x4c00010dL;
  }

  @Override
  long infoNull() {
    return 0x1c000000L;
  }

  @Override
  long typeOf(ElementKind kind) {
    return switch (kind) {
      case U8 -> 0x4c00013bL;
      case I32 -> 0x4c000439L;
      case I64 -> 0x4c00083aL;
      case F64 -> 0x4c00080bL;
    };
  }

  @Override
  long operationOf(Reduction op) {
    return switch (op) {
      case MAX -> 0x58000001L;
      case MIN -> 0x58000002L;
      case SUM -> 0x58000003L;
      case BIT_AND -> 0x58000006L;
      case BIT_OR -> 0x58000008L;
    };
  }

  @Override
  int anySource() {
    return -2;
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

  // The size that Intel MPI needs; MPICH needs 512 bytes.
  @Override
  int maxErrorString() {
    return 4097;
  }

  @Override
  int statusBytes() {
    return 20;
  }

  @Override
  int statusSourceOffset() {
    return 8;
  }

  // MPICH 4.0 compares bytes as signed numbers, even for unsigned datatypes; a C program confirmed
  // this.
  @Override
  boolean comparesUnsignedBytes() {
    return false;
  }

  @Override
  String fileComponent(Map<String, String> environment) {
    return "ROMIO";
  }

  @Override
  boolean wideHandles() {
    return false;
  }

  @Override
  MpiErrorClass errorClass(int value) {
    return switch (value) {
      case 14 -> MpiErrorClass.TRUNCATED;
      case 20, 40 -> MpiErrorClass.ACCESS;
      case 32 -> MpiErrorClass.IO;
      case 36, 39 -> MpiErrorClass.NO_SPACE;
      case 37 -> MpiErrorClass.NO_SUCH_FILE;
      case 19 -> MpiErrorClass.USAGE;
      default -> value >= 1 && value <= 12 ? MpiErrorClass.USAGE : MpiErrorClass.OTHER;
    };
  }
}
