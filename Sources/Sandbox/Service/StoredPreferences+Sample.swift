extension StoredPreferences {
    /// What a user starts with: the category of suprsend.md §5.6, a mandatory one, and a group without a heading.
    package static let sample = StoredPreferences(
        sections: [
            [
                "name": "Offers", "slug": "offers", "description": "Deals",
                "subcategories": [
                    [
                        "name": "Refund news", "category": "refund-news", "description": "Refund status",
                        "original_preference": "opt_in", "preference": "opt_in", "is_editable": true,
                        "channels": [
                            ["channel": "androidpush", "preference": "opt_in", "is_editable": false],
                            ["channel": "email", "preference": "opt_in", "is_editable": false],
                            ["channel": "inbox", "preference": "opt_in", "is_editable": true],
                            ["channel": "whatsapp", "preference": "opt_out", "is_editable": true],
                        ],
                    ]
                ],
            ],
            [
                "name": "Operations", "slug": "operations", "description": "What keeps things running",
                "subcategories": [
                    [
                        "name": "Maintenance", "category": "maintenance", "description": "Planned interruptions",
                        "original_preference": "opt_in", "preference": "opt_in", "is_editable": false,
                        "channels": [
                            ["channel": "email", "preference": "opt_in", "is_editable": false],
                            ["channel": "inbox", "preference": "opt_in", "is_editable": true],
                        ],
                    ],
                    [
                        "name": "Builds", "category": "builds", "description": "Finished and failed builds",
                        "original_preference": "opt_out", "preference": "opt_out", "is_editable": true,
                        "channels": [
                            ["channel": "email", "preference": "opt_out", "is_editable": true],
                            ["channel": "inbox", "preference": "opt_out", "is_editable": true],
                        ],
                    ],
                ],
            ],
            [
                "name": nil,
                "subcategories": [
                    [
                        "name": "Mentions", "category": "mentions", "description": "Someone wrote your name",
                        "original_preference": "opt_in", "preference": "opt_in", "is_editable": true,
                        "channels": [["channel": "inbox", "preference": "opt_in", "is_editable": true]],
                    ]
                ],
            ],
        ],
        channels: [
            ["channel": "email", "is_restricted": false],
            ["channel": "inbox", "is_restricted": false],
            ["channel": "androidpush", "is_restricted": false],
            ["channel": "whatsapp", "is_restricted": false],
        ]
    )
}
