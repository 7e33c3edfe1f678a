package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Reduction;
import java.util.Map;

/**
 * The standard binary interface of MPI 5.0, in {@code libmpi_abi.so}. Source: MPI 5.0, chapter 20.
 *
 * <p>Handles are pointers; predefined handles are small constants. The layout of {@code
 * MPI_Status}, with offsets in bytes:
 *
 * <pre>
 *   0       4       8       12                      32
 *   +-------+-------+-------+------------ ... ------+
 *   |source |tag    |error  |(private)              |
 *   +-------+-------+-------+------------ ... ------+
 * </pre>
 */
final class StandardAbi extends Abi {
  @Override
  String family() {
    return "MPI 5 ABI";
  }

  @Override
  long world() {
    return 0x101;
  }

  @Override
  long errorsReturn() {
    return 0x143;
  }

  @Override
  long byteType() {
    return 0x247;
  }

  @Override
  long infoNull() {
    return 0x130;
  }

  @Override
  long typeOf(ElementKind kind) {
    return switch (kind) {
      case U8 -> 0x241;
      case I32 -> 0x250;
      case I64 -> 0x258;
      case F64 -> 0x214;
    };
  }

  @Override
  long operationOf(Reduction op) {
    return switch (op) {
      case SUM -> 0x21;
      case MIN -> 0x22;
      case MAX -> 0x23;
      case BIT_AND -> 0x28;
      case BIT_OR -> 0x29;
    };
  }

  @Override
  int anySource() {
    return -1;
  }

  @Override
  int threadFunneled() {
    return 1024;
  }

  @Override
  int readOnly() {
    return 16;
  }

  @Override
  int readWrite() {
    return 32;
  }

  @Override
  int maxErrorString() {
    return 513;
  }

  @Override
  int statusBytes() {
    return 32;
  }

  @Override
  int statusSourceOffset() {
    return 0;
  }

  // Some libraries with this ABI compare bytes as signed numbers; see MpichAbi.
  @Override
  boolean comparesUnsignedBytes() {
    return false;
  }

  @Override
  String fileComponent(Map<String, String> environment) {
    return "the library's own";
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
