package io.skerry.internal.copy.header;

import io.skerry.datatype.Datatype;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.value.ElementTransfer;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Determines the datatypes of copies, and their references to committed datatypes.
 *
 * @param copies a function that returns the address of the copy of a committed datatype
 */
public record CopiedTypes(CopyTarget target, ToLongFunction<ObjectLocation> copies) {
  /**
   * Returns the datatype of the copy, which differs from the original only if addresses have a
   * different width in the target.
   */
  public DatatypeMessage type(NativeFile from, DatatypeMessage message) {
    if (from.tree().widths().offset() == target.widths().offset()) {
      return message;
    }
    Datatype old = message.datatype();
    Datatype here = ElementTransfer.type(old, from.tree().widths(), target.widths());
    return here.equals(old) ? message : DatatypeMessage.of(here);
  }

  /**
   * Returns a reference to the copy of a committed datatype; empty if the given reference is to a
   * different kind of message.
   */
  public Optional<SharedReference> committed(NativeFile from, SharedReference reference) {
    return reference instanceof SharedReference.Committed(long address)
        ? Optional.of(
            new SharedReference.Committed(copies.applyAsLong(new ObjectLocation(from, address))))
        : Optional.empty();
  }
}
