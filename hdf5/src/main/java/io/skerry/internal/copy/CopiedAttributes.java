package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.copy.header.CopiedTypes;
import io.skerry.internal.copy.header.CopyTarget;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.tree.AttributeEditor;
import io.skerry.internal.tree.OrderedAttributes;
import io.skerry.internal.value.ElementTransfer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Adds the attributes of copied objects to their copies. Local. */
record CopiedAttributes(CopyTarget target, Set<CopyOption> options, CopiedTypes types) {
  /**
   * Returns the attributes that the copy of an object will have; none if attributes are not copied.
   */
  List<AttributeMessage> of(ObjectLocation from) {
    return options.contains(CopyOption.WITHOUT_ATTRIBUTES)
        ? List.of()
        : OrderedAttributes.inOrder(from.file().tree(), from.address());
  }

  /**
   * Checks that no attribute of an existing group has the name of an attribute to be copied.
   *
   * @param group the address of the group in the target
   * @throws IllegalArgumentException if the group has an attribute with the same name as one to be
   *     copied
   */
  void checkFree(ObjectLocation from, long group) {
    AttributeEditor existing = new AttributeEditor(target.file().tree(), group);
    for (AttributeMessage attribute : of(from)) {
      if (existing.find(attribute.name()).isPresent()) {
        throw new IllegalArgumentException(
            "the target has an attribute of this name: attribute="
                + attribute.name()
                + " file="
                + target.file().path());
      }
    }
  }

  /**
   * Adds the attributes of all objects to their copies. Called after all objects have been found,
   * because attributes may refer to any of them.
   *
   * @param rule the rule that determines the new values of object references
   */
  void addAll(CopiedObjects objects, ReferenceRule rule) {
    objects
        .addresses()
        .forEach((from, copy) -> {
          NativeFile file = from.file();
          AttributeEditor editor = new AttributeEditor(target.file().tree(), copy);
          ElementTransfer transfer = target.transfer(file.contents(), rule.objects(file));
          for (AttributeMessage attribute : of(from)) {
            editor.put(copied(file, attribute, transfer));
          }
        });
  }

  private AttributeMessage copied(
      NativeFile from, AttributeMessage attribute, ElementTransfer transfer) {
    Datatype type = attribute.datatype().datatype();
    Bytes data =
        ElementTransfer.holdsAddresses(type)
            ? Bytes.of(
                transfer.transfer(
                    type, attribute.data().segment(), attribute.dataspace().elements()))
            : attribute.data();
    return new AttributeMessage(
        attribute.name(),
        attribute.characters(),
        types.type(from, attribute.datatype()),
        attribute.dataspace(),
        data,
        attribute.sharedType().flatMap(reference -> types.committed(from, reference)),
        Optional.empty());
  }
}
