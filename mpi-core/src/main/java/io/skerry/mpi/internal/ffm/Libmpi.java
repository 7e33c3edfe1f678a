package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.internal.launch.LibraryEnvironment;
import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The MPI library of this process. This class finds the library with {@link LibrarySearch}, loads
 * it, determines its family and looks up its symbols.
 *
 * <p>A C library can be loaded only once per process, so all state is in static final fields, set
 * on first use and never changed. {@link #require} must be called before any other use.
 */
final class Libmpi {
  /** Size in bytes of the buffer for the version text, enough for every library. */
  private static final int MAX_VERSION_TEXT = 8193;

  private static final String ABI_VERSION = "MPI_Abi_get_version";

  /** A function that a library has only if it supports MPI-IO. */
  private static final String FILE_OPEN = "MPI_File_open";

  private static final Linker LINKER = Linker.nativeLinker();

  private record Loaded(MemorySegment library, String name) {}

  private record Search(Optional<Loaded> loaded, String tried) {}

  /** A binary interface, and the reason why it must not be used, if any. */
  private record Interface(Abi abi, Optional<MpiException> failure) {}

  private static final Search SEARCH = search();

  private static final Interface INTERFACE = interfaceOfLibrary();

  /** The binary interface of the library; must not be used if there is no library. */
  static final Abi ABI = INTERFACE.abi();

  private Libmpi() {}

  /**
   * Throws an {@link MpiException} unless a usable library is loaded. The exception names the
   * library, or all libraries that were tried.
   */
  static void require() {
    if (SEARCH.loaded().isEmpty()) {
      throw unusable("no MPI library could be loaded: " + SEARCH.tried());
    }
    if (find("MPI_Get_library_version").isEmpty()) {
      throw unusable(
          "not a library of MPI 3 or later: library=%s missing=MPI_Get_library_version; name"
                  .formatted(file())
              + " another one by "
              + LibrarySearch.VARIABLE);
    }
    if (INTERFACE.failure().isPresent()) {
      throw INTERFACE.failure().get();
    }
    if (!(ABI instanceof OpenMpiAbi) && !(ABI instanceof StandardAbi) && !isOfMpichFamily()) {
      throw unusable(
          "an MPI library of an unknown family: library=%s version=%s; name Open MPI, MPICH, one"
                  .formatted(file(), versionText())
              + " with MPICH's binary interface, or a libmpi_abi.so by "
              + LibrarySearch.VARIABLE);
    }
    // Otherwise, opening a file would create or truncate it before the missing function
    // is called.
    if (find(FILE_OPEN).isEmpty()) {
      throw unusable(
          "an MPI library without MPI-IO: library=%s missing=%s; name another one by %s"
              .formatted(file(), FILE_OPEN, LibrarySearch.VARIABLE));
    }
  }

  /**
   * Determines the binary interface. A failure is returned, since an exception would become an
   * {@link ExceptionInInitializerError} here; {@link #require} throws it.
   */
  private static Interface interfaceOfLibrary() {
    try {
      return new Interface(knownInterface(), Optional.empty());
    } catch (MpiException e) {
      return new Interface(new MpichAbi(), Optional.of(e));
    }
  }

  private static Abi knownInterface() {
    if (isStandard()) {
      return new StandardAbi();
    }
    return find(OpenMpiAbi.WORLD_SYMBOL).isPresent()
        ? new OpenMpiAbi(Libmpi::address)
        : new MpichAbi();
  }

  /**
   * Returns whether the library has the standard ABI. This is determined by its ABI version or, for
   * drafts of the standard, by its name.
   */
  private static boolean isStandard() {
    var name = Path.of(file()).getFileName();
    return abiVersion() >= 1 || (name != null && name.toString().startsWith("libmpi_abi."));
  }

  /** Returns the major version of the standard ABI; -1 if the library has a different ABI. */
  private static int abiVersion() {
    if (find(ABI_VERSION).isEmpty()) {
      return -1;
    }
    try (var arena = Arena.ofConfined()) {
      var major = arena.allocate(JAVA_INT);
      var minor = arena.allocate(JAVA_INT);
      int failed = (int) link(ABI_VERSION, "pp").invokeExact(major, minor);
      return failed == 0 ? major.get(JAVA_INT, 0) : -1;
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static boolean isOfMpichFamily() {
    return versionText().matches("(?is).*(mpich|mvapich|intel\\(r\\) mpi|parastation).*");
  }

  /**
   * Returns the file of the library, or the name by which it was loaded if the file is unknown;
   * {@code none} if there is no library.
   */
  static String file() {
    return find("MPI_Init")
        .flatMap(NativeProcess::fileOf)
        .or(() -> SEARCH.loaded().map(Loaded::name))
        .orElse("none");
  }

  /** Returns the version text of the library. May be called before MPI is initialized. */
  static String versionText() {
    try (var arena = Arena.ofConfined()) {
      var text = arena.allocate(MAX_VERSION_TEXT);
      var length = arena.allocate(JAVA_INT);
      int failed = (int) link("MPI_Get_library_version", "pp").invokeExact(text, length);
      return failed == 0 ? text.getString(0).strip() : "unknown";
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  /** Returns the address of an exported symbol. */
  private static long address(String symbol) {
    return find(symbol).orElseThrow(() -> lacking(symbol)).address();
  }

  private static MpiException lacking(String symbol) {
    return unusable(
        "the MPI library lacks a symbol: library=%s symbol=%s".formatted(file(), symbol));
  }

  /**
   * Returns a method handle for an MPI function that returns {@code int}. If the library lacks the
   * function, the method handle throws an {@link MpiException} when it is called.
   *
   * @param function the name of the function
   * @param signature one character per parameter: i for int, l for a 64-bit integer or handle, p
   *     for a pointer
   */
  @SuppressWarnings("restricted")
  static MethodHandle link(String function, String signature) {
    var parameters =
        signature
            .chars()
            .mapToObj(letter ->
                switch (letter) {
                  case 'i' -> JAVA_INT;
                  case 'l' -> JAVA_LONG;
                  case 'p' -> ADDRESS;
                  default -> throw new IllegalArgumentException("not a signature: " + signature);
                })
            .toArray(MemoryLayout[]::new);
    var descriptor = FunctionDescriptor.of(JAVA_INT, parameters);
    return find(function)
        .map(symbol -> LINKER.downcallHandle(symbol, descriptor))
        .orElseGet(() -> failing(lacking(function), descriptor.toMethodType()));
  }

  // Functions are linked in static initializers, where an exception would become an
  // ExceptionInInitializerError. The exception is therefore thrown by the call.
  private static MethodHandle failing(MpiException failure, MethodType type) {
    var thrower = MethodHandles.throwException(type.returnType(), MpiException.class);
    return MethodHandles.dropArguments(thrower.bindTo(failure), 0, type.parameterList());
  }

  /**
   * Returns the exception for an unusable library. Its rank is -1, since the rank is unknown before
   * MPI has started.
   */
  static MpiException unusable(String text) {
    return new MpiException("start", MpiErrorClass.LIBRARY, 0, text, "world", -1);
  }

  /**
   * Loads the library. A denial of native access is returned, since an exception would become an
   * {@link ExceptionInInitializerError} here; {@link #require} throws an exception for it.
   */
  private static Search search() {
    try {
      return loadFirst();
    } catch (IllegalCallerException e) {
      return new Search(Optional.empty(), NativeProcess.denial());
    }
  }

  private static Search loadFirst() {
    LibraryEnvironment.prepare();
    var tried = new ArrayList<String>();
    List<String> candidates = LibrarySearch.ofThisProcess().candidates();
    for (var candidate : candidates) {
      var loading = NativeProcess.load(candidate);
      if (loading.library().isPresent()) {
        return new Search(Optional.of(new Loaded(loading.library().get(), candidate)), candidate);
      }
      tried.add(loading.error());
    }
    return new Search(
        Optional.empty(),
        "tried=%s; install Open MPI or MPICH, or name a library by %s"
            .formatted(tried, LibrarySearch.VARIABLE));
  }

  private static Optional<MemorySegment> find(String symbol) {
    return SEARCH.loaded().flatMap(loaded -> NativeProcess.find(loaded.library(), symbol));
  }
}
