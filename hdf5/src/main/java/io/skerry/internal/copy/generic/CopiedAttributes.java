package io.skerry.internal.copy.generic;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.parallel.Operation;
import io.skerry.value.Value;
import java.util.List;

/**
 * Copies the attributes of objects. Collective.
 *
 * @param target the target
 * @param references the changes to references in values
 */
record CopiedAttributes(H5File target, CopiedReferences references) {
  /** Copies all attributes of an object. */
  void copy(H5Object from, H5Object to) {
    TargetSteps steps = new TargetSteps(target);
    String path = to.shownPath();
    for (Attribute attribute : steps.before(Operation.WRITE_ATTRIBUTE, path, from::attributes)) {
      if (attribute.isNull() || !ElementTransfer.holdsAddresses(attribute.datatype())) {
        to.setAttribute(attribute);
      } else {
        List<Value> values =
            steps.before(
                Operation.WRITE_ATTRIBUTE,
                path,
                () -> references.changed(attribute.values(from.file().contents())));
        to.setAttribute(attribute.name(), attribute.datatype(), attribute.shape(), values);
      }
    }
  }
}
