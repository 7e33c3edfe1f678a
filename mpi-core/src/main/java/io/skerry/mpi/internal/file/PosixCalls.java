package io.skerry.mpi.internal.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The functions of the C library that file access requires, looked up once. Available only on
 * 64-bit Linux, and only if native access is enabled. Exceptions contain the error text of the C
 * library.
 *
 * <p>The methods {@code read}, {@code write} and {@code size} first call their C function without
 * capturing {@code errno}, since nearly all of these calls succeed and capturing needs memory. If
 * the call fails, it is repeated with capture, which is harmless for these functions.
 */
final class PosixCalls {
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final int READ_ONLY = 0;
  private static final int NOT_BLOCKING = 04000;

  /** The flag that rejects symbolic links; empty if its value on this processor is unknown. */
  private static final Optional<Integer> NO_LINK =
      switch (System.getProperty("os.arch", "")) {
        case "amd64" -> Optional.of(0400000);
        case "aarch64" -> Optional.of(0100000);
        default -> Optional.empty();
      };

  private static final int READ_WRITE = 2;
  private static final int END = 2;
  private static final int INTERRUPTED = 4;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERROR_NUMBER = STATE.byteOffset(PathElement.groupElement("errno"));

  private static final Optional<PosixCalls> FOUND = find();

  private final Linker linker = Linker.nativeLinker();
  private final SymbolLookup symbols = linker.defaultLookup();

  private final MethodHandle open =
      linked(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private final MethodHandle close = linked("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private final MethodHandle read = linked("pread", transfer());
  private final MethodHandle readExplained = linked("pread", transfer(), errorNumber());
  private final MethodHandle readArray = linked("pread", transfer(), Linker.Option.critical(true));
  private final MethodHandle write = linked("pwrite", transfer());
  private final MethodHandle writeExplained = linked("pwrite", transfer(), errorNumber());
  // The C function has no parameter for the last argument and ignores it. Passing the
  // segment keeps its memory allocated during the call; the addresses in the vector alone
  // would not.
  private final MethodHandle scatter =
      linked(
          "preadv",
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS));
  private final MethodHandle seek = linked("lseek", position());
  private final MethodHandle seekExplained = linked("lseek", position(), errorNumber());
  private final MethodHandle cut =
      linked("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG), errorNumber());
  private final MethodHandle force =
      linked("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT), errorNumber());
  private final MethodHandle text = linked("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private PosixCalls() {}

  private static FunctionDescriptor transfer() {
    return FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static FunctionDescriptor position() {
    return FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  }

  private static Linker.Option errorNumber() {
    return Linker.Option.captureCallState("errno");
  }

  @SuppressWarnings("restricted")
  private MethodHandle linked(
      String function, FunctionDescriptor descriptor, Linker.Option... options) {
    return linker.downcallHandle(symbols.findOrThrow(function), descriptor, options);
  }

  private static Optional<PosixCalls> find() {
    boolean linux = System.getProperty("os.name", "").equals("Linux");
    boolean wide = ADDRESS.byteSize() == Long.BYTES;
    if (!linux || !wide || !PosixCalls.class.getModule().isNativeAccessEnabled()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new PosixCalls());
    } catch (NoSuchElementException | IllegalCallerException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Returns the functions; empty if they are not available. */
  static Optional<PosixCalls> found() {
    return FOUND;
  }

  /** Opens a file for reading and returns its descriptor; empty if that fails. */
  Optional<Integer> openToRead(Path path) {
    return open(path, READ_ONLY);
  }

  /**
   * Opens a file for reading, without waiting for a writer if the file is a FIFO, and returns its
   * descriptor; empty if that fails, if the last component of the path is a symbolic link, or if
   * {@link #NO_LINK} is empty.
   */
  Optional<Integer> openUnlinkedToRead(Path path) {
    return NO_LINK.flatMap(noLink -> open(path, READ_ONLY | NOT_BLOCKING | noLink));
  }

  /**
   * Opens an existing file for reading and writing and returns its descriptor; empty if that fails.
   */
  Optional<Integer> openToWrite(Path path) {
    return open(path, READ_WRITE);
  }

  private Optional<Integer> open(Path path, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int descriptor = (int) open.invokeExact(name, access | CLOSE_ON_EXEC);
      return descriptor < 0 ? Optional.empty() : Optional.of(descriptor);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  void close(int descriptor) {
    try {
      int unused = (int) close.invokeExact(descriptor);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Reads into native memory.
   *
   * @return the number of bytes read; 0 only at the end of the file
   */
  long read(int descriptor, MemorySegment memory, long offset) throws IOException {
    long got;
    try {
      got = (long) read.invokeExact(descriptor, memory, memory.byteSize(), offset);
    } catch (Throwable e) {
      throw unchecked(e);
    }
    return got < 0 ? explained(readExplained, descriptor, memory, offset) : got;
  }

  /**
   * Writes native memory.
   *
   * @return the number of bytes written, possibly fewer than the memory holds
   */
  long write(int descriptor, MemorySegment memory, long offset) throws IOException {
    long put;
    try {
      put = (long) write.invokeExact(descriptor, memory, memory.byteSize(), offset);
    } catch (Throwable e) {
      throw unchecked(e);
    }
    return put < 0 ? explained(writeExplained, descriptor, memory, offset) : put;
  }

  private long explained(MethodHandle call, int descriptor, MemorySegment memory, long offset)
      throws IOException {
    return retried(
        state -> (long) call.invokeExact(state, descriptor, memory, memory.byteSize(), offset));
  }

  /**
   * Reads into an array. During the call, the JVM cannot reach a safepoint.
   *
   * @return the number of bytes read; negative on failure. The caller must then read in a way that
   *     reports the cause.
   */
  long readArray(int descriptor, MemorySegment array, long offset) {
    try {
      return (long) readArray.invokeExact(descriptor, array, array.byteSize(), offset);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Reads into several blocks of memory.
   *
   * @param descriptor the descriptor of the file
   * @param vector the addresses and lengths of the blocks
   * @param count the number of blocks
   * @param offset the offset in the file
   * @param memory the memory that contains the blocks
   * @return the number of bytes read; negative on failure. The caller must then read in a way that
   *     reports the cause.
   */
  long scatter(int descriptor, MemorySegment vector, int count, long offset, MemorySegment memory) {
    try {
      return (long) scatter.invokeExact(descriptor, vector, count, offset, memory);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Returns the size of the file in bytes. Changes the descriptor's position, which this class does
   * not use.
   */
  long size(int descriptor) throws IOException {
    long end;
    try {
      end = (long) seek.invokeExact(descriptor, 0L, END);
    } catch (Throwable e) {
      throw unchecked(e);
    }
    return end < 0
        ? retried(state -> (long) seekExplained.invokeExact(state, descriptor, 0L, END))
        : end;
  }

  void cut(int descriptor, long bytes) throws IOException {
    long unused = retried(state -> (int) cut.invokeExact(state, descriptor, bytes));
  }

  /**
   * Flushes written data to the device. A failed call is repeated only if a signal interrupted it:
   * the system reports a lost write only once, so a repeated call could succeed although data was
   * lost.
   */
  void force(int descriptor) throws IOException {
    long unused = retried(state -> (int) force.invokeExact(state, descriptor));
  }

  /** A call that stores its error number in the given memory. */
  @FunctionalInterface
  private interface Explained {
    long call(MemorySegment state) throws Throwable;
  }

  /** Makes a call, and repeats it while signals interrupt it. */
  private long retried(Explained call) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      while (true) {
        long result;
        try {
          result = call.call(state);
        } catch (Throwable e) {
          throw unchecked(e);
        }
        if (result >= 0) {
          return result;
        }
        int number = state.get(JAVA_INT, ERROR_NUMBER);
        if (number != INTERRUPTED) {
          throw new IOException(text(number));
        }
      }
    }
  }

  @SuppressWarnings("restricted")
  private String text(int number) {
    try {
      MemorySegment chars = (MemorySegment) text.invokeExact(number);
      return chars.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Converts a throwable from the invocation of a method handle to an unchecked exception; throws
   * it if it is an {@link Error}. The invocation is declared to throw any throwable, but these
   * calls throw only unchecked ones.
   */
  private static RuntimeException unchecked(Throwable e) {
    return switch (e) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException("a call of the C library failed", e);
    };
  }
}
