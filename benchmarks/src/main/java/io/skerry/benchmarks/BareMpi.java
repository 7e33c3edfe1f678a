package io.skerry.benchmarks;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * A minimal Java program that starts and ends MPI without Skerry: the baseline for {@link StartUp}.
 */
public final class BareMpi {
  private static final int RTLD_NOW_GLOBAL = 0x102;
  private static final Linker LINKER = Linker.nativeLinker();

  private BareMpi() {}

  /** Starts MPI, prints a line, and ends MPI. */
  @SuppressWarnings("restricted")
  public static void main(String[] args) throws Throwable {
    String library = args.length > 0 ? args[0] : "libmpi.so.40";
    var dlopen =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("dlopen"),
            FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      var opened = (MemorySegment) dlopen.invokeExact(arena.allocateFrom(library), RTLD_NOW_GLOBAL);
      if (opened.address() == 0) {
        throw new IllegalStateException("no MPI library could be loaded: library=" + library);
      }
      SymbolLookup mpi = SymbolLookup.libraryLookup(library, arena);
      var init =
          LINKER.downcallHandle(
              mpi.findOrThrow("MPI_Init"), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
      var end =
          LINKER.downcallHandle(mpi.findOrThrow("MPI_Finalize"), FunctionDescriptor.of(JAVA_INT));
      int started = (int) init.invokeExact(MemorySegment.NULL, MemorySegment.NULL);
      System.out.println("hello, MPI_Init=" + started);
      int ended = (int) end.invokeExact();
      System.exit(started == 0 && ended == 0 ? 0 : 1);
    }
  }
}
