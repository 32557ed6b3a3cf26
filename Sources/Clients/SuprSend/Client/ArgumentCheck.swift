import ClientKit

typealias ArgumentCheck = ArgumentChecks<SuprSendError>
