package io.skerry.iod.rados.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.Optional;

/**
 * The functions of librados that containers need. The header librados.h of Ceph 16 declares them;
 * later versions keep the binary interface. All functions copy the strings and bytes that they
 * receive, unless a comment states otherwise. Immutable, thread-safe.
 */
public final class Librados {
  private static final String NAME = "librados.so.2";

  final MethodHandle create;
  final MethodHandle readConfiguration;
  final MethodHandle configure;
  final MethodHandle connect;
  final MethodHandle shutdown;
  final MethodHandle clientNumber;
  final MethodHandle addresses;
  final MethodHandle freeBuffer;
  final MethodHandle block;
  final MethodHandle awaitMap;
  final MethodHandle openPool;
  final MethodHandle closePool;
  final MethodHandle setNamespace;
  final MethodHandle refuseWhenFull;
  final MethodHandle createSnapshot;
  final MethodHandle removeSnapshot;
  final MethodHandle keepSnapshots;
  final MethodHandle readSnapshot;
  final MethodHandle createWrite;
  final MethodHandle releaseWrite;
  final MethodHandle operateWrite;
  final MethodHandle submitWrite;
  final MethodHandle createObject;
  final MethodHandle compareAttribute;
  final MethodHandle setAttribute;
  final MethodHandle removeAttribute;
  final MethodHandle setPairs;
  final MethodHandle removePairs;
  final MethodHandle writeFull;
  final MethodHandle hintAllocation;
  final MethodHandle removeObject;
  final MethodHandle createCompletion;
  final MethodHandle awaitCompletion;
  final MethodHandle completionResult;
  final MethodHandle releaseCompletion;
  final MethodHandle createRead;
  final MethodHandle releaseRead;
  final MethodHandle operateRead;
  final MethodHandle getPairs;
  final MethodHandle nextPair;
  final MethodHandle endPairs;
  final MethodHandle getAttributes;
  final MethodHandle nextAttribute;
  final MethodHandle endAttributes;
  final MethodHandle submitRead;
  final MethodHandle stat;
  final MethodHandle lock;
  final MethodHandle unlock;
  final MethodHandle breakLock;
  final MethodHandle openList;
  final MethodHandle nextOfList;
  final MethodHandle closeList;

  /** Thrown if the library is missing, or lacks a function. */
  public static final class MissingException extends Exception {
    private static final long serialVersionUID = 1L;

    MissingException(String text, Throwable cause) {
      super(text, cause);
    }
  }

  private final SymbolLookup symbols;

  private Librados(SymbolLookup symbols) {
    this.symbols = symbols;
    create = link("rados_create2", "ipppl");
    readConfiguration = link("rados_conf_read_file", "ipp");
    configure = link("rados_conf_set", "ippp");
    connect = link("rados_connect", "ip");
    shutdown = link("rados_shutdown", "vp");
    clientNumber = link("rados_get_instance_id", "lp");
    addresses = link("rados_getaddrs", "ipp");
    freeBuffer = link("rados_buffer_free", "vp");
    block = link("rados_blocklist_add", "ippi");
    awaitMap = link("rados_wait_for_latest_osdmap", "ip");
    openPool = link("rados_ioctx_create", "ippp");
    closePool = link("rados_ioctx_destroy", "vp");
    setNamespace = link("rados_ioctx_set_namespace", "vpp");
    refuseWhenFull = link("rados_set_pool_full_try", "vp");
    createSnapshot = link("rados_ioctx_selfmanaged_snap_create", "ipp");
    removeSnapshot = link("rados_ioctx_selfmanaged_snap_remove", "ipl");
    keepSnapshots = link("rados_ioctx_selfmanaged_snap_set_write_ctx", "iplpi");
    readSnapshot = link("rados_ioctx_snap_set_read", "vpl");
    createWrite = link("rados_create_write_op", "p");
    releaseWrite = link("rados_release_write_op", "vp");
    operateWrite = link("rados_write_op_operate", "ippppi");
    submitWrite = link("rados_aio_write_op_operate", "ipppppi");
    createObject = link("rados_write_op_create", "vpip");
    compareAttribute = link("rados_write_op_cmpxattr", "vppbpl");
    setAttribute = link("rados_write_op_setxattr", "vpppl");
    removeAttribute = link("rados_write_op_rmxattr", "vpp");
    setPairs = link("rados_write_op_omap_set", "vppppl");
    removePairs = link("rados_write_op_omap_rm_keys", "vppl");
    hintAllocation = link("rados_write_op_set_alloc_hint2", "vplli");
    writeFull = link("rados_write_op_write_full", "vppl");
    removeObject = link("rados_write_op_remove", "vp");
    createCompletion = link("rados_aio_create_completion2", "ippp");
    awaitCompletion = link("rados_aio_wait_for_complete", "ip");
    completionResult = link("rados_aio_get_return_value", "ip");
    releaseCompletion = link("rados_aio_release", "vp");
    createRead = link("rados_create_read_op", "p");
    releaseRead = link("rados_release_read_op", "vp");
    operateRead = link("rados_read_op_operate", "ipppi");
    getPairs = link("rados_read_op_omap_get_vals2", "vppplppp");
    nextPair = link("rados_omap_get_next", "ipppp");
    endPairs = link("rados_omap_get_end", "vp");
    getAttributes = link("rados_getxattrs", "ippp");
    nextAttribute = link("rados_getxattrs_next", "ipppp");
    endAttributes = link("rados_getxattrs_end", "vp");
    submitRead = link("rados_aio_read", "ippppll");
    stat = link("rados_stat", "ipppp");
    lock = link("rados_lock_exclusive", "ippppppb");
    unlock = link("rados_unlock", "ipppp");
    breakLock = link("rados_break_lock", "ippppp");
    openList = link("rados_nobjects_list_open", "ipp");
    nextOfList = link("rados_nobjects_list_next", "ipppp");
    closeList = link("rados_nobjects_list_close", "vp");
  }

  /** A holder class that loads the library on first use. */
  private static final class Found {
    static final Search SEARCH = search(NAME);
  }

  /** The library, or the reason why there is none. */
  private record Search(Optional<Librados> library, String failure) {}

  /**
   * Returns the library, which is loaded at the first call. Local, thread-safe.
   *
   * @throws MissingException if it cannot be loaded or lacks a function
   */
  public static Librados get() throws MissingException {
    return found(Found.SEARCH);
  }

  /** Loads a library of another name, as {@link #get} does. */
  public static Librados load(String name) throws MissingException {
    return found(search(name));
  }

  private static Librados found(Search search) throws MissingException {
    if (search.library().isEmpty()) {
      throw new MissingException(search.failure(), new IllegalStateException(search.failure()));
    }
    return search.library().get();
  }

  // SymbolLookup.libraryLookup is restricted because the loader may find any library with
  // that name. An exception would become an ExceptionInInitializerError in the holder class.
  @SuppressWarnings("restricted")
  private static Search search(String name) {
    if (ADDRESS.byteSize() != Long.BYTES) {
      return new Search(Optional.empty(), "addresses are not 64 bits wide");
    }
    try {
      return new Search(
          Optional.of(new Librados(SymbolLookup.libraryLookup(name, Arena.global()))), "");
    } catch (IllegalArgumentException | IllegalCallerException e) {
      return new Search(
          Optional.empty(),
          "the library of Ceph cannot be used: library="
              + name
              + " cause="
              + Objects.requireNonNullElse(e.getMessage(), e.getClass().getName())
              + "; install librados2, and allow native access");
    }
  }

  /**
   * Links a function.
   *
   * @param signature a character for the result and one for each parameter: v for none, b for 8
   *     bits, i for 32 bits, l for 64 bits, p for a pointer
   */
  // The linker's methods are restricted because a wrong signature can crash the process.
  // The signatures used here match the declarations in librados.h.
  @SuppressWarnings("restricted")
  private MethodHandle link(String function, String signature) {
    MemorySegment symbol =
        symbols
            .find(function)
            .orElseThrow(() -> new IllegalArgumentException("it lacks the function " + function));
    MemoryLayout[] parameters =
        signature.substring(1).chars().mapToObj(Librados::layout).toArray(MemoryLayout[]::new);
    FunctionDescriptor descriptor =
        signature.charAt(0) == 'v'
            ? FunctionDescriptor.ofVoid(parameters)
            : FunctionDescriptor.of(layout(signature.charAt(0)), parameters);
    return Linker.nativeLinker().downcallHandle(symbol, descriptor);
  }

  private static ValueLayout layout(int letter) {
    return switch (letter) {
      case 'b' -> JAVA_BYTE;
      case 'i' -> JAVA_INT;
      case 'l' -> JAVA_LONG;
      case 'p' -> ADDRESS;
      default -> throw new IllegalArgumentException("not a letter of a signature: " + letter);
    };
  }

  /** A call of a function, which throws only unchecked exceptions. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws Throwable;
  }

  static <T> T call(Call<T> call) {
    // A method handle declares Throwable.
    try {
      return call.run();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * A call of a function without result. Its body must be a block: as an expression, the call would
   * be compiled with a result.
   */
  @FunctionalInterface
  interface Action {
    void run() throws Throwable;
  }

  static void run(Action action) {
    // A method handle declares Throwable.
    try {
      action.run();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Calls a function that returns a negative error number on failure. */
  static int checked(String function, String subject, Call<Integer> call) {
    int result = call(call);
    if (result < 0) {
      throw new RadosException(function, subject, -result);
    }
    return result;
  }

  /** Reads a string that the library owns. */
  // reinterpret is restricted because a wrong length allows access to other memory. The library
  // ends each string with a NUL.
  @SuppressWarnings("restricted")
  static String text(MemorySegment address) {
    return address.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Copies bytes that the library owns. */
  // reinterpret is restricted because a wrong length allows access to other memory. The library
  // has returned this length together with the address.
  @SuppressWarnings("restricted")
  static byte[] bytes(MemorySegment address, long size) {
    return size == 0 ? new byte[0] : address.reinterpret(size).toArray(JAVA_BYTE);
  }

  /** Copies a byte string that the library owns, without its terminating NUL. */
  // As in text, the library ends each string with a NUL.
  @SuppressWarnings("restricted")
  static byte[] string(MemorySegment address) {
    MemorySegment all = address.reinterpret(Long.MAX_VALUE);
    long size = 0;
    while (all.get(JAVA_BYTE, size) != 0) {
      size++;
    }
    return all.asSlice(0, size).toArray(JAVA_BYTE);
  }

  /** Returns the exception to throw for a failed call of a method handle. Errors are rethrown. */
  static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException("librados", failure);
    };
  }
}
